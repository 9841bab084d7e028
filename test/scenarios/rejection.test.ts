/** A machine that is smaller than its Node object says: what it turns away goes elsewhere, and not back at once. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "incident-10-rejected-by-its-node";

/** Each replica is turned away at most once, and all of them serve in the end. */
function turnedAwayOnce(told: Told): void {
  const turnedAway = told.commits
    .filter(({ command }) => command === "report")
    .flatMap(({ changes }) => changes)
    .flatMap(({ after }) =>
      after?.kind === "Replica" && after.status.stage === "failed" ? [after.meta.name] : [],
    );
  expect(turnedAway.length).toBeGreaterThan(0);
  expect(new Set(turnedAway).size).toBe(turnedAway.length);
  const again = told.bindings().filter((text) => !text.includes("incarnation 1 "));
  expect(again).toHaveLength(turnedAway.length);
  for (const text of again) expect(text).toMatch(/incarnation 2 on node-2$/);
  const serving = told.replicasAtEnd().filter((text) => text.includes("serving"));
  expect(serving).toHaveLength(6);
}

describe("a node that turns replicas away", () => {
  it("scenario: half of the machine is gone: the next incarnations go to another node, after a pause [PR4] [AG6]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    turnedAwayOnce(told);
    expect(told.waits("admit", "Workload/shop/cart", "restart-backoff").length).toBeGreaterThan(0);
  });

  it("power: who goes by the Node object alone is sent to the same node again", async () => {
    const defect = "rejected-goes-back-at-once";
    const found = await power({ defect, scenario, prove: turnedAwayOnce });
    expect(found.withoutFaults).toBe("clean");
    expect(found.withFaults).toMatch(/^INV61: Replica\/shop\/cart/);
  });
});
