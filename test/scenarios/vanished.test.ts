/** A node that is deleted while replicas hold it: they are freed when they must be over, and not before. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "node-deleted-under-its-replicas";

/** The one on the deleted node is freed on the lease that was left, which goes with it. */
function freedInTime(told: Told): void {
  const [released, ...others] = told.committed(/^release\/Replica/);
  expect(others).toEqual([]);
  expect(released).toMatchObject({
    actor: { role: "release-vanished" },
    evidence: { kind: "node-vanished", node: "node-1", session: 1 },
  });
  // Two minutes of its own clock after it was started again, and so even longer after the last renewal.
  const freedMs = told.timeOf("release-vanished", /^release\/Replica.* sent to/);
  expect(freedMs).toBeGreaterThan(62_000 + 118_000);
  expect([...told.atEnd().keys()]).not.toContain("Lease//node-1");
}

describe("a node that is deleted under its replicas", () => {
  it("scenario: the machine is dead, the controller dies too: its replicas are freed once the lease is over [VN1] [VN2]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    freedInTime(told);
    const reason = "not-silent-long-enough";
    expect(told.waits("release-vanished", "Node//node-1", reason).length).toBeGreaterThan(0);
  });

  it("power: who counts anew at every look never frees anything", async () => {
    const defect = "vanished-node-keeps-its-replicas";
    const { withFaults } = await power({ defect, scenario, prove: freedInTime });
    expect(withFaults).toMatch(/^LIV12: Replica\/shop\/cart\.1\.\d still holds node-1/);
  });
});
