/** An agent that was never shown a replica: what it does not list it does not run, and others get to run it. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "agent-forgets-a-replica";

/** Freed on the agent's own lists, no sooner than it would have found it by itself, and placed elsewhere. */
function freedAndMoved(told: Told): void {
  const [released, ...others] = told.committed(/^release\/Replica/);
  expect(others).toEqual([]);
  expect(released).toMatchObject({
    actor: { role: "release-forgotten" },
    evidence: { kind: "agent-forgot", node: "node-1", session: 1 },
  });
  const cart = told.bindings().filter((text) => text.startsWith("cart"));
  expect(cart).toEqual(["cart.1.0 incarnation 1 on node-1", "cart.1.0 incarnation 2 on node-2"]);
  const freedMs = told.timeOf("release-forgotten", /^release\/Replica.* sent to/);
  expect(freedMs).toBeGreaterThan(20_000 + 60_000);
  expect(freedMs).toBeLessThan(20_000 + 120_000);
  expect(told.replicasAtEnd()).toEqual([
    "cart.1.0 incarnation 2 serving on node-2",
    "known.1.0 incarnation 1 serving on node-1",
  ]);
}

describe("a replica that its agent does not know of", () => {
  it("scenario: the agent is never shown it: it is freed on the agent's own lists, and runs elsewhere [FG1] [FG2]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    freedAndMoved(told);
  });

  it("power: whose lists are read once only takes what is on its way for forgotten", async () => {
    const defect = "missing-once-is-forgotten";
    const { withFaults } = await power({ defect, scenario, prove: freedAndMoved });
    expect(withFaults).toMatch(/^(not proved|INV12)/);
  });
});
