import { describe, expect, test } from "vitest";
import { aPlane, type Plane, indexKey, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Role } from "../../model/actor.ts";
import { workloadKey } from "../../model/ids.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const admit = (
  plane: Plane,
  of: { index?: number; incarnation?: number; generation?: number; role?: Role } = {},
): Outcome =>
  plane.send(
    {
      kind: "admit",
      workload: WORKLOAD,
      generation: of.generation ?? 1,
      index: of.index ?? 0,
      incarnation: of.incarnation ?? 1,
    },
    { role: of.role ?? "admit" },
  );

/** Ends the replica's present incarnation the way its agent would. */
function end(plane: Plane, stage: "failed" | "released" | "succeeded"): void {
  const { key, status } = plane.replica();
  const { incarnation, session } = status;
  plane.must({ kind: "report", replica: key, incarnation, node: "a-1", session, stage });
}

describe("admit", () => {
  test("a wanted index gets its first incarnation, made from the template as it stands [BD2]", () => {
    const plane = aPlane({ desired: { cpuMillis: 250, replicas: 2 } });
    plane.nowMs = 40;
    expect(codeOf(admit(plane, { index: 1 }))).toBe("committed");
    expect(plane.replica(1)).toMatchObject({
      spec: {
        index: 1,
        generation: 1,
        workloadUid: plane.workload().meta.uid,
        template: { ask: { amounts: { cpuMillis: 250 } } },
      },
      status: { stage: "admitted", stageSinceMs: 40, incarnation: 1, failures: 0, node: undefined },
    });
  });

  test("an index beyond the desired number is not admitted [BD2]", () => {
    const plane = aPlane({ desired: { replicas: 2 } });
    expect(admit(plane, { index: 2 })).toMatchObject({
      kind: "conflict",
      code: "index-not-wanted",
    });
    expect(plane.replica(2)).toBeUndefined();
  });

  test("an index of another template generation is not admitted [BD2]", () => {
    const plane = aPlane({ desired: { type: "batch" } });
    plane.putDesired({ type: "batch", command: ["serve", "--v2"] });
    expect(codeOf(admit(plane, { generation: 1 }))).toBe("index-not-wanted");
    expect(codeOf(admit(plane, { generation: 2 }))).toBe("committed");
  });

  test("an index of a workload being deleted is not admitted [BD2]", () => {
    const plane = aPlane();
    plane.must({ kind: "delete", key: WORKLOAD, expect: {} });
    expect(codeOf(admit(plane))).toBe("index-not-wanted");
  });

  test("an index of a workload that does not exist is a conflict [OB1]", () => {
    const workload = workloadKey("payments", "nobody");
    const outcome = aPlane().send({
      kind: "admit",
      workload,
      generation: 1,
      index: 0,
      incarnation: 1,
    });
    expect(outcome).toMatchObject({ kind: "conflict", code: "no-such-object", field: workload });
  });

  test("only the admitting controller gives an incarnation [ST1]", () => {
    const plane = aPlane();
    for (const role of ["user", "place", "agent", "release-lost"] as const) {
      expect(admit(plane, { role })).toMatchObject({ kind: "refused", code: "not-owner" });
    }
  });

  test("an index that is on its way is not admitted again [ST2]", () => {
    const plane = aPlane();
    plane.admitted();
    expect(admit(plane, { incarnation: 2 })).toMatchObject({
      kind: "conflict",
      code: "wrong-stage",
    });
    plane.serving();
    expect(codeOf(admit(plane, { incarnation: 2 }))).toBe("wrong-stage");
  });

  test("a batch index that succeeded is not admitted again [ST2]", () => {
    const plane = aPlane({ desired: { type: "batch" } });
    plane.bound();
    end(plane, "succeeded");
    expect(codeOf(admit(plane, { incarnation: 2 }))).toBe("wrong-stage");
  });

  test("the next incarnation is one higher, and no other [ST3]", () => {
    const plane = aPlane();
    plane.serving();
    end(plane, "released");
    expect(admit(plane, { incarnation: 1 })).toMatchObject({
      kind: "conflict",
      code: "wrong-incarnation",
      expected: 2,
      actual: 1,
    });
    expect(codeOf(admit(plane, { incarnation: 3 }))).toBe("wrong-incarnation");
    expect(codeOf(admit(plane, { incarnation: 2 }))).toBe("committed");
    expect(plane.replica().status).toMatchObject({
      stage: "admitted",
      incarnation: 2,
      node: undefined,
    });
  });

  test("a first incarnation that calls itself the second is a conflict [ST3]", () => {
    expect(codeOf(admit(aPlane(), { incarnation: 2 }))).toBe("wrong-incarnation");
  });

  test("a failed index lives again and its failures are not forgotten [ST3]", () => {
    const plane = aPlane();
    plane.serving();
    end(plane, "failed");
    expect(codeOf(admit(plane, { incarnation: 2 }))).toBe("committed");
    expect(plane.replica().status).toMatchObject({ incarnation: 2, failures: 1 });
    expect(plane.get(indexKey())).toBe(plane.replica());
  });
});
