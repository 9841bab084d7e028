/** Tenants that ask for more tiny replicas than a node starts at once, or than they may. */
import { expect, it } from "vitest";
import { tell } from "./tell.ts";

it("scenario: a crowd on one node is started at a pace, and the lease goes first [LB4] [LB6]", () => {
  const told = tell("crowd-on-one-node");
  expect(told.surprises).toEqual([]);
  expect(told.bindings()).toHaveLength(90);
});

it("scenario: a neighbour of a crowd starts between its starts, not behind them [LB5]", () => {
  const told = tell("crowd-and-a-neighbour");
  expect(told.surprises).toEqual([]);
  const claims = told.commits.filter(({ command }) => command === "report");
  const first = (text: string): number =>
    claims.findIndex(({ changes }) =>
      changes.some(
        ({ key, after }) =>
          key.includes(text) && after?.kind === "Replica" && after.status.stage === "starting",
      ),
    );
  expect(first("/web/shop.")).toBeGreaterThan(0);
  const behind = claims
    .slice(first("/web/shop."))
    .filter(({ changes }) =>
      changes.some(
        ({ key, after }) =>
          key.includes("/mallory/crowd.") &&
          after?.kind === "Replica" &&
          after.status.stage === "starting",
      ),
    );
  expect(behind.length).toBeGreaterThan(20);
});

it("scenario: a flood of tiny workloads ends where the tenants' counts do [LB2] [LB3]", () => {
  const told = tell("flood-of-tiny-workloads");
  expect(told.surprises).toEqual([]);
  const made = (tenant: string): Set<string> =>
    new Set(
      told.commits.flatMap(({ actor, changes }) =>
        actor.name === tenant ? changes.map(({ key }) => key) : [],
      ),
    );
  expect(made("mallory").size).toBeGreaterThan(2);
  expect(made("trudy").size).toBe(3);
  const shop = told.replicasAtEnd().filter((text) => text.startsWith("shop."));
  expect(shop.filter((text) => text.includes(" serving on "))).toHaveLength(2);
});

it("scenario: a flood of objects ends where the tenant's counts do [LB9]", () => {
  const told = tell("flood-of-objects");
  expect(told.surprises).toEqual([]);
  const made = told.commits.flatMap(({ actor, changes }) =>
    actor.name === "mallory" ? changes.map(({ key }) => key.split("/")[0]) : [],
  );
  expect(made).toContain("LeaderLease");
  expect(made).not.toContain("Autoscaler");
});

it("scenario: a plane that gets more than it takes serves leases first, and no node looks silent [FS8]", () => {
  const told = tell("more-than-the-plane-takes");
  expect(told.surprises).toEqual([]);
  const healths = told.commits.flatMap(({ changes }) =>
    changes.flatMap(({ after }) => (after?.kind === "Node" ? [after.status.health] : [])),
  );
  expect(new Set(healths)).toEqual(new Set(["unknown", "ready"]));
  const shop = told.replicasAtEnd().filter((text) => text.startsWith("shop."));
  expect(shop.filter((text) => text.includes(" serving on "))).toHaveLength(2);
});
