/** Urgent work that finds everything full: others make room, and nobody takes it away while they do. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "urgent-work-takes-the-place-of-idle-work";

function urgentWorkGetsTheRoom(told: Told): void {
  expect(told.committed(/^preempt\//)).toHaveLength(1);
  expect(told.bindings().filter((text) => text.startsWith("checkout"))).toEqual([
    "checkout.1.0 incarnation 1 on node-1",
  ]);
  const atEnd = told.replicasAtEnd().map((text) => text.split(" on ")[0]);
  expect(atEnd).toContain("checkout.1.0 incarnation 1 serving");
  expect(atEnd.filter((text) => text?.endsWith("serving"))).toHaveLength(2);
  expect([...told.atEnd().keys()].filter((key) => key.endsWith(".room"))).toEqual([]);
}

describe("urgent work on a full node", () => {
  it("scenario: reply lost, proposer dies, scheduler slow, thief about: one victim, and its room goes where it was meant to [PE3] [PE6]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    urgentWorkGetsTheRoom(told);
    const [held] = told.waits("place-1", "Workload/shop/checkout", "room-held");
    expect(held?.because.summary).toMatch(/^waits for room on node-1: [01] victims? stopping$/);
  });

  it("scenario: the victim ends as released, has not failed, and waits in its next incarnation [PE8]", () => {
    const told = tell(scenario);
    const [commit] = told.committed(/^preempt\//);
    const victims = commit?.changes.flatMap(({ after }) =>
      after?.kind === "Replica" && after.status.stopping !== undefined ? [after] : [],
    );
    expect(victims).toHaveLength(1);
    const atEnd = told.atEnd().get(victims?.[0]?.key ?? "");
    expect(atEnd?.kind === "Replica" && atEnd.status).toMatchObject({
      stage: "queued",
      incarnation: 2,
      failures: 0,
    });
  });

  it("power: room that is reserved for no particular replica goes to the faster one", async () => {
    const defect = "held-room-for-anybody";
    const { withFaults } = await power({ defect, scenario, prove: urgentWorkGetsTheRoom });
    expect(withFaults).toMatch(/^(INV40: |not proved)/);
  });

  it("power: a class that says nothing and is taken for one that never preempts leaves urgent work waiting", async () => {
    const defect = "left-out-means-never";
    const { withFaults } = await power({ defect, scenario, prove: urgentWorkGetsTheRoom });
    expect(withFaults).toMatch(/^(LIV9: |not proved)/);
  });
});
