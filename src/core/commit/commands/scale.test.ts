import { describe, expect, test } from "vitest";
import { putting, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { AUTOSCALER, aScaledPlane } from "../../../../test/builders/a-scaled-plane.ts";
import { anOverrideSpec } from "../../../../test/builders/an-override.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { autoscalerKey, type AutoscalerSpec } from "../../model/autoscaler.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { OverrideAction } from "../../model/override.ts";

/** Four serve, and the load asks for eight. */
function busy(of: Partial<AutoscalerSpec> = {}) {
  const plane = aScaledPlane(of);
  plane.observed(800);
  return plane;
}

/** A minute of observations, one every five seconds, the first of which was made already. */
const minute = (plane: ReturnType<typeof busy>, load: number, to: number): void => {
  for (let at = 0; at < 11; at += 1) plane.observed(load);
  expect(codeOf(plane.scale(to))).toBe("scale-not-due");
  plane.observed(load);
};

describe("an autoscaler", () => {
  test("is the only one of its workload, which must be there [AS1]", () => {
    const plane = aScaledPlane();
    const second = autoscalerKey("payments", "second");
    expect(codeOf(plane.put({}, second))).toBe("workload-taken");
    expect(codeOf(plane.put({ workload: "ghost" }, second))).toBe("no-such-object");
    expect(plane.put({ max: 12 }).kind).toBe("committed");
  });

  test("goes with its workload [AS1]", () => {
    const plane = aScaledPlane({}, { replicas: 0 });
    plane.must({ kind: "delete", key: WORKLOAD, expect: {} });
    const spec = plane.workload().spec;
    plane.must(putting(WORKLOAD, { kind: "Workload", spec }), { role: "admit" });
    expect(plane.get(WORKLOAD)).toBeUndefined();
    expect(plane.get(AUTOSCALER)).toBeUndefined();
  });

  test("forgets what was measured by another target [AS2]", () => {
    const plane = busy();
    plane.put({ up: { windowMs: 10_000 } });
    expect(plane.status.observed?.seq).toBe(1);
    plane.put({ target: { kind: "cpu", value: 70 } });
    expect(plane.status).toEqual({ replicas: 4 });
  });
});

describe("a scale", () => {
  test("writes the number and what it rests on, in one commit [AS5]", () => {
    const plane = busy();
    expect(plane.scale(8).kind).toBe("committed");
    expect(plane.workload()).toMatchObject({ spec: { replicas: 8 }, meta: { generation: 2 } });
    expect(plane.workload().status.templateGeneration).toBe(1);
    const lastUp = { from: 4, to: 8, atMs: 5_000, epoch: 1 };
    expect(plane.status).toMatchObject({ replicas: 8, lastUp });
    const evidence = { kind: "load-observed", autoscaler: AUTOSCALER, observation: 1 };
    expect(plane.lastCommit.evidence).toEqual(evidence);
  });

  test("is the controller's alone [AS5]", () => {
    const { key } = busy().autoscaler;
    const asked = { kind: "scale", autoscaler: key, observation: 1, generation: 1 } as const;
    const outcome = busy().send({ ...asked, from: 4, to: 8 }, { role: "user" });
    expect(codeOf(outcome)).toBe("not-owner");
  });

  test("rests on the last observation, which is young and of this leadership [AS3]", () => {
    const plane = busy();
    expect(codeOf(plane.scale(8, { observation: 0 }))).toBe("observation-old");
    plane.nowMs += 30_001;
    expect(codeOf(plane.scale(8))).toBe("observation-old");
    plane.observed(800);
    plane.lead(2);
    expect(codeOf(plane.scale(8))).toBe("observation-old");
  });

  test("meets whatever else was written to the workload meanwhile [AS7]", () => {
    const plane = busy();
    expect(codeOf(plane.scale(8, { generation: 2 }))).toBe("generation-changed");
    expect(codeOf(plane.scale(8, { from: 5 }))).toBe("generation-changed");
  });

  test("leaves a person's number alone for as long as was said [AS7]", () => {
    const plane = busy();
    plane.replicas(3);
    expect(codeOf(plane.scale(7))).toBe("scaled-by-hand");
    plane.observed(800, { covered: 3, of: 3 });
    for (let at = 0; at < 11; at += 1) {
      expect(codeOf(plane.scale(7))).toBe("scaled-by-hand");
      plane.observed(800, { covered: 3, of: 3 });
    }
    plane.observed(800, { covered: 3, of: 3 });
    expect(plane.scale(7).kind).toBe("committed");
  });

  test("leaves one alone that was scaled to nothing [AS7]", () => {
    const plane = busy();
    plane.replicas(0);
    for (let at = 0; at < 14; at += 1) plane.observed(800);
    expect(codeOf(plane.scale(4))).toBe("scale-not-due");
  });

  test("stays within the bounds of the autoscaler and of the policy in force [AS4]", () => {
    const plane = busy({ max: 6 });
    expect(codeOf(plane.scale(7))).toBe("scale-bounds");
    plane.must(
      putting("PolicyRevision//p-1" as ObjectKey, {
        kind: "PolicyRevision",
        spec: { scoring: "best-fit", autoscaling: { maxReplicas: 5 } },
      }),
    );
    plane.must(
      putting("Policy//default" as ObjectKey, { kind: "Policy", spec: { active: "p-1" } }),
    );
    expect(codeOf(plane.scale(6))).toBe("scale-bounds");
    expect(plane.scale(5).kind).toBe("committed");
  });

  test("goes no further than the same decision on the truth, in either direction [AS5]", () => {
    const plane = busy({ up: { replicas: 2, periodMs: 0 } });
    expect(codeOf(plane.scale(7))).toBe("scale-not-due");
    expect(codeOf(plane.scale(4))).toBe("scale-not-due");
    expect(codeOf(plane.scale(3))).toBe("scale-not-due");
    expect(plane.scale(6).kind).toBe("committed");
  });

  test("takes one step, and the next when its time has come [AS5]", () => {
    const plane = busy({ down: { replicas: 1, periodMs: 12_000, windowMs: 0 } });
    plane.observed(0);
    expect(plane.scale(3).kind).toBe("committed");
    plane.observed(0, { covered: 3, of: 3 });
    expect(codeOf(plane.scale(2))).toBe("scale-not-due");
    plane.observed(0, { covered: 3, of: 3, afterMs: 7_000 });
    expect(plane.scale(2).kind).toBe("committed");
  });

  test("gives nothing back before the whole window was observed, and asks for no more [AS3] [AS5]", () => {
    const pace = { windowMs: 60_000, replicas: 1, periodMs: 0 };
    const quiet = aScaledPlane({ down: pace });
    quiet.observed(200);
    expect(codeOf(quiet.scale(3))).toBe("scale-not-due");
    // Nothing was observed for a while: what the load needed then is not known.
    quiet.observed(200, { afterMs: 60_000 });
    expect(codeOf(quiet.scale(3))).toBe("scale-not-due");
    minute(quiet, 200, 3);
    expect(quiet.scale(3).kind).toBe("committed");
    const loud = busy({ up: pace });
    expect(codeOf(loud.scale(5))).toBe("scale-not-due");
    minute(loud, 800, 5);
    expect(loud.scale(5).kind).toBe("committed");
  });

  test("counts a window that has grown from when all of it is remembered [AS5]", () => {
    const plane = aScaledPlane();
    plane.observed(400);
    plane.observed(200);
    const autoscaling = { stabilizationMs: 60_000, stepMost: 1 };
    plane.must(
      putting("PolicyRevision//p-1" as ObjectKey, {
        kind: "PolicyRevision",
        spec: { scoring: "best-fit", autoscaling },
      }),
    );
    plane.must(
      putting("Policy//default" as ObjectKey, { kind: "Policy", spec: { active: "p-1" } }),
    );
    expect(codeOf(plane.scale(3))).toBe("scale-not-due");
    minute(plane, 200, 3);
    expect(plane.scale(3).kind).toBe("committed");
  });

  test("gives nothing back while a sample is missing [AS3]", () => {
    const plane = aScaledPlane();
    plane.observed(100, { covered: 3 });
    expect(codeOf(plane.scale(2))).toBe("scale-not-due");
    plane.observed(100, { covered: 4 });
    expect(plane.scale(2).kind).toBe("committed");
  });

  test("asks for no more while one that it has waits, fails or is slow to start [AS6]", () => {
    const plane = busy();
    plane.scale(5);
    plane.observed(1_000);
    expect(codeOf(plane.scale(9))).toBe("replicas-pending");
    plane.admitted(4);
    expect(codeOf(plane.scale(9))).toBe("replicas-pending");
    plane.queued(4);
    expect(codeOf(plane.scale(9))).toBe("replicas-pending");
    const { key, incarnation } = { key: plane.replica(4).key, incarnation: 1 };
    plane.must({ kind: "bind", replica: key, incarnation, node: "a-1", deviceIds: [] });
    const report = { kind: "report", replica: key, incarnation, node: "a-1", session: 1 } as const;
    plane.must({ ...report, stage: "starting" });
    // One that has just begun to start is on its way, and counted.
    plane.nowMs += 29_000;
    plane.observed(1_000, { afterMs: 999 });
    const slow = plane.scale(9, {});
    expect(slow.kind).toBe("committed");
  });

  test("counts a start of half a minute as a slow one [AS6]", () => {
    const plane = busy();
    plane.scale(5);
    plane.bound({ index: 4 });
    plane.observed(1_000, { afterMs: 30_000 });
    expect(codeOf(plane.scale(9))).toBe("replicas-pending");
  });

  test("asks for one more for each that is lost for now [AS8]", () => {
    const plane = aScaledPlane({ readiness: 4 });
    plane.vouchedGone("a-1");
    plane.observed(400);
    // All four are lost with their node, and a step is four.
    expect(plane.scale(8).kind).toBe("committed");
    expect(plane.status.lastUp).toMatchObject({ from: 4, to: 8 });
  });

  test.each([
    ["pause-expansion", 8, "held-by-override"],
    ["pause-expansion", 2, "committed"],
    ["freeze-tenant", 8, "held-by-override"],
    ["freeze-tenant", 2, "held-by-override"],
  ] as const)("meets %s on its way to %i [AS9]", (action: OverrideAction, to, outcome) => {
    const plane = aScaledPlane();
    const target = { tenant: "payments" };
    const spec = anOverrideSpec({ action, target });
    plane.must(putting("Override//ov-1" as ObjectKey, { kind: "Override", spec }));
    plane.observed(to * 100);
    const said = plane.scale(to);
    expect(said.kind === "committed" ? said.kind : codeOf(said)).toBe(outcome);
  });
});
