import { describe, expect, test } from "vitest";
import { aPlane, type Plane } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { FENCE_AFTER_MS } from "../../model/timing.ts";
import type { Outcome } from "../../protocol/outcome.ts";

/** It was restored with a node that is heard of, and with one that never was. */
function aLearningPlane(): Plane {
  const plane = aPlane();
  const region = plane.node().spec.region;
  plane.must({ kind: "incarnate", plane: { role: "regional", region }, incarnation: 2 });
  return plane;
}

const endLearning = (plane: Plane): Outcome => plane.send({ kind: "end-learning", incarnation: 2 });

function renew(plane: Plane, seq: number, lists: boolean): void {
  const inventory = { asOf: plane.ledger.revision, replicas: [] };
  const lease = { kind: "lease", node: "a-1", session: 1, seq, kept: [] } as const;
  plane.must(lists ? { ...lease, inventory } : lease);
}

describe("learning", () => {
  test("ends once every node has listed its replicas, and what ran elsewhere is over [RG13]", () => {
    const plane = aLearningPlane();
    plane.nowMs = FENCE_AFTER_MS - 1;
    renew(plane, 2, true);
    expect(endLearning(plane)).toMatchObject({ code: "still-learning", actual: "1 ms left" });
    plane.nowMs += 1;
    expect(codeOf(endLearning(plane))).toBe("committed");
    expect(codeOf(endLearning(plane))).toBe("still-learning");
  });

  test("does not end by a renewal without a list, or by one of another leadership [RG13]", () => {
    const plane = aLearningPlane();
    renew(plane, 2, false);
    plane.nowMs = FENCE_AFTER_MS;
    expect(endLearning(plane)).toMatchObject({ code: "still-learning", field: "Node//a-1" });
    renew(plane, 3, true);
    renew(plane, 4, false);
    plane.lead(2);
    plane.nowMs += FENCE_AFTER_MS - 1;
    expect(endLearning(plane)).toMatchObject({ actual: "1 ms left" });
    plane.nowMs += 1;
    expect(endLearning(plane)).toMatchObject({ field: "Node//a-1" });
    renew(plane, 5, true);
    expect(codeOf(endLearning(plane))).toBe("committed");
  });

  test("does not wait for a node that is fenced [RG13]", () => {
    const plane = aLearningPlane();
    plane.nowMs = FENCE_AFTER_MS;
    plane.vouchedGone();
    expect(codeOf(endLearning(plane))).toBe("committed");
  });

  test("is ended by its controller alone, for the incarnation that learns [RG13]", () => {
    const plane = aLearningPlane();
    const end = { kind: "end-learning", incarnation: 2 } as const;
    expect(codeOf(plane.send(end, { role: "user" }))).toBe("not-owner");
    expect(codeOf(plane.send({ ...end, incarnation: 1 }))).toBe("still-learning");
  });
});
