/** A region that people have marked as partitioned, while its link is really down: what runs, what waits, what is settled on return. */
import { describe, expect, it } from "vitest";
import { CALM_RETURN_MS } from "../../src/core/rules/override/calm-delay.ts";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const MARKED = "override carrier \\(mark-partitioned by ana until .+Z\\)";

/** When the region is back, on the authority's clock. */
function backAt(told: Told): number {
  const [ended] = told.committed(/^expire\/Override\/\/carrier\//);
  expect(ended).toMatchObject({ evidence: { kind: "override-over" } });
  return ended!.atMs;
}

/** The node of each that is provisional or was, with the budget that it was bound on. */
const provisional = (told: Told): readonly (readonly (string | undefined)[])[] =>
  told.commits
    .filter(({ command }) => command.startsWith("bind"))
    .flatMap(({ changes }) => changes)
    .flatMap(({ after }) =>
      after?.kind === "Replica" && after.status.provisional !== undefined
        ? [[after.meta.name, after.status.node, after.status.budget]]
        : [],
    );

function runsOn(told: Told): void {
  expect(told.healthOf("w-1")).toEqual(["unknown", "ready", "suspect", "ready"]);
  const stopped = told.committed(/^(evict|release)\/Replica\/payments\/web/);
  expect(stopped).toEqual([]);
  const [drain] = told.waits("drain-node", "Node//w-2", "override");
  expect(drain?.because.summary).toMatch(new RegExp(`held back by ${MARKED}`));
  expect(told.replicasAtEnd()).toContain("web.1.1 incarnation 1 serving on w-2");
}

function staysWhereItsDataIs(told: Told): void {
  const [wait] = told.waits("place-1", "Workload/payments/ledger", "region-partitioned");
  const example = wait?.because.rejected?.["region-partitioned"]?.example ?? "";
  expect(example).toMatch(
    new RegExp(`^Node//w-1: ${MARKED}: residency, its placement names regions or zones$`),
  );
  const [bound] = told.committed(/^bind\/Replica\/payments\/ledger/);
  const sinceMs = bound!.atMs - backAt(told);
  expect(sinceMs).toBeGreaterThan(0);
  expect(sinceMs).toBeLessThan(CALM_RETURN_MS + 2_000);
}

function isSettled(told: Told): void {
  expect(provisional(told)).toEqual([
    ["thumbs.1.0", "w-1", "early"],
    ["thumbs.1.1", "w-2", "early"],
  ]);
  const [third] = told.waits("place-1", "Workload/media/thumbs", "region-partitioned");
  expect(third?.because.rejected?.["region-partitioned"]?.example).toMatch(/: budget, no budget/);
  const backMs = backAt(told);
  const settled = told.committed(/^(confirm|evict)\/Replica\/media\/thumbs/);
  expect(settled.map(({ command, evidence }) => [command, evidence])).toEqual([
    ["evict", { kind: "not-confirmed", region: "west", rule: "quota-exceeded" }],
    ["confirm", undefined],
  ]);
  for (const { atMs } of settled) {
    expect(atMs).toBeGreaterThan(backMs);
    expect(atMs).toBeLessThan(backMs + CALM_RETURN_MS + 2_000);
  }
  const left = [...told.atEnd().values()].filter(
    (object) => object.kind === "Replica" && object.status.node !== undefined,
  );
  for (const replica of left) expect(replica.status).not.toHaveProperty("provisional.override");
}

describe("a partitioned region", () => {
  const scenario = "region-partitioned";

  it("scenario: what runs there runs on, what cannot be checked there waits, and what was decided alone is settled on return [DG1] [DG3] [DG4] [DG5] [DG7]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    runsOn(told);
    staysWhereItsDataIs(told);
    isSettled(told);
  });

  it("power: a budget that came too late for the region pays for one more", async () => {
    const defect = "later-budget-counts";
    const told = await power({ defect, scenario, prove: isSettled });
    expect(told.withFaults).toMatch(
      /^INV171: .*RecoveryBudget\/\/late is newer than Override\/\/carrier/,
    );
  });
});

describe("a partitioned region for longer than what was decided there alone may last", () => {
  it("scenario: it is asked to stop although the region is still marked, and counts no end that was moved later [DG4] [DG6]", () => {
    const told = tell("partition-outlasts-what-was-lent");
    expect(told.surprises).toEqual([]);
    const backMs = backAt(told);
    const asked = told.committed(/^evict\//);
    const evidence = { kind: "confirm-overdue", override: "carrier" };
    expect(asked).toMatchObject([{ evidence }, { evidence }]);
    for (const { atMs } of asked) expect(atMs).toBeLessThan(backMs);
    const [first, second, third] = told.committed(/^bind\/Replica\/media\/thumbs/);
    expect(asked[0]!.atMs - first!.atMs).toBeGreaterThanOrEqual(20_000);
    const [made] = told.committed(/put\/RecoveryBudget\/\/early$/);
    expect(second!.atMs - made!.atMs).toBeLessThan(40_000);
    expect(third!.atMs).toBeGreaterThan(backMs);
  });
});
