import { describe, expect, test } from "vitest";
import { aPlane, indexKey, type Plane, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const restart = (plane: Plane, index = 0): Outcome =>
  plane.send({ kind: "delete", key: indexKey(index), expect: {} }, { role: "user" });

const admit = (plane: Plane, incarnation: number) =>
  ({
    kind: "admit",
    workload: WORKLOAD,
    generation: plane.replica().spec.generation,
    index: 0,
    incarnation,
  }) as const;

describe("a person who deletes a replica", () => {
  test("asks it to stop, and takes nothing from it before its process is gone [ST90]", () => {
    const plane = aPlane();
    plane.serving();
    plane.nowMs = 70;
    expect(codeOf(restart(plane))).toBe("committed");
    const { meta, status } = plane.replica();
    expect(meta.deletingMs).toBe(70);
    expect(status).toMatchObject({
      stage: "serving",
      node: "a-1",
      stopping: { reason: "deleted", sinceMs: 70 },
    });
    expect(codeOf(restart(plane))).toBe("being-deleted");
  });

  test("gets another object for the index, which counts its incarnations on [ST90]", () => {
    const plane = aPlane();
    const { uid } = plane.serving().meta;
    restart(plane);
    expect(codeOf(plane.send(admit(plane, 2)))).toBe("wrong-stage");
    const { incarnation, node = "", session } = plane.replica().status;
    plane.must({
      kind: "report",
      replica: indexKey(),
      incarnation,
      node,
      session,
      stage: "released",
    });
    plane.must(admit(plane, 2));
    const { meta, status } = plane.replica();
    expect(meta.uid).not.toBe(uid);
    expect(meta.deletingMs).toBeUndefined();
    expect(status).toMatchObject({
      stage: "admitted",
      incarnation: 2,
      failures: 0,
      lastNode: "a-1",
    });
  });

  test("may not take more out of serving than the disruption budget allows [ST90]", () => {
    const plane = aPlane();
    plane.serving();
    plane.putDesired({ disruption: { maxUnavailable: 0 } });
    expect(codeOf(restart(plane))).toBe("disruption-budget");
    plane.putDesired({ disruption: { maxUnavailable: plane.workload().spec.replicas } });
    expect(codeOf(restart(plane))).toBe("committed");
  });

  test("meets a rejection for one that has no process [ST90]", () => {
    const plane = aPlane();
    plane.queued();
    expect(codeOf(restart(plane))).toBe("wrong-stage");
    const other = plane.send({ kind: "delete", key: indexKey(), expect: {} }, { role: "place" });
    expect(codeOf(other)).toBe("not-owner");
  });
});
