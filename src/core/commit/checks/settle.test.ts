import { describe, expect, test } from "vitest";
import { aPlane, type Plane, indexKey, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import type { TemplateParts } from "../../../../test/builders/a-template.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Role } from "../../model/actor.ts";
import type { Replica } from "../../model/objects.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const ORIGINAL = indexKey(0);
const REPLACEMENT = `${ORIGINAL}.r` as ObjectKey;

const at = (plane: Plane, key: ObjectKey): Replica => plane.ledger.objects.replica(key)!;

function report(
  plane: Plane,
  key: ObjectKey,
  ...stages: ("starting" | "ready" | "serving")[]
): void {
  for (const stage of stages) {
    const { incarnation, node, session } = at(plane, key).status;
    const about = { replica: key, incarnation, node: node!, session, reason: "it is 503" };
    plane.must({ kind: "report", ...about, stage });
  }
}

/**
 * a-1 was cut off and its replica replaced; the replacement serves on b-1, and a-1 is back with its
 * own.
 */
function metAgain(of: TemplateParts = {}): Plane {
  const plane = aPlane({ desired: { onDisconnect: "keep", replaceAfterMs: 20_000, ...of } });
  plane.joined("b-1");
  plane.serving();
  plane.fallenSilent();
  plane.nowMs = 20_000;
  const evidence = { kind: "replace-after", node: "a-1", session: 1 } as const;
  plane.must({ kind: "release", key: ORIGINAL, incarnation: 1, evidence });
  const indexes = [{ index: 0, incarnation: 2 }];
  plane.must({ kind: "enqueue", workload: WORKLOAD, generation: 1, indexes });
  plane.renew({ node: "b-1", seq: 2 });
  plane.must({ kind: "bind", replica: REPLACEMENT, incarnation: 2, node: "b-1", deviceIds: [] });
  report(plane, REPLACEMENT, "starting", "ready", "serving");
  plane.renew({ session: 2, kept: [ORIGINAL] });
  return plane;
}

function settle(
  plane: Plane,
  of: { readonly goes: ObjectKey; readonly stays: ObjectKey },
  role: Role = "release-lost",
): Outcome {
  const { incarnation } = at(plane, of.goes).status;
  const evidence = { kind: "reconciled", stays: of.stays } as const;
  return plane.send({ kind: "evict", replica: of.goes, incarnation, evidence }, { role });
}

const originalStays = { goes: REPLACEMENT, stays: ORIGINAL };
const replacementStays = { goes: ORIGINAL, stays: REPLACEMENT };

describe("two replicas of an index that have met again", () => {
  test("[DC5] the original stays where its workload says so, and the index is its own again", () => {
    const plane = metAgain({ reconcile: "keep-original" });
    report(plane, ORIGINAL, "serving");
    expect(codeOf(settle(plane, replacementStays))).toBe("evidence-wrong");
    expect(codeOf(settle(plane, originalStays))).toBe("committed");
    expect(at(plane, ORIGINAL).status).toMatchObject({ incarnation: 1, indexIncarnations: 2 });
    expect(at(plane, ORIGINAL).status.superseded).toBeUndefined();
    expect(at(plane, REPLACEMENT).status).toMatchObject({
      superseded: { evidence: { kind: "reconciled", stays: ORIGINAL } },
      stopping: { reason: "replaced" },
    });
  });

  test("[DC5] the replacement stays where its workload says so, and the original is asked to stop", () => {
    const plane = metAgain({ reconcile: "keep-replacement" });
    expect(codeOf(settle(plane, originalStays))).toBe("evidence-wrong");
    expect(codeOf(settle(plane, replacementStays))).toBe("committed");
    expect(at(plane, ORIGINAL).status.stopping).toMatchObject({ reason: "replaced" });
    expect(at(plane, REPLACEMENT).status.superseded).toBeUndefined();
  });

  test("[DC5] the best stays: neither goes before the original's agent has reported, then the one that serves stays", () => {
    const plane = metAgain();
    expect(codeOf(settle(plane, originalStays))).toBe("evidence-wrong");
    report(plane, ORIGINAL, "starting");
    expect(codeOf(settle(plane, originalStays))).toBe("evidence-wrong");
    expect(codeOf(settle(plane, replacementStays))).toBe("committed");
    const tie = metAgain();
    report(tie, ORIGINAL, "ready");
    expect(codeOf(settle(tie, originalStays))).toBe("evidence-wrong");
    report(tie, ORIGINAL, "serving");
    expect(codeOf(settle(tie, replacementStays))).toBe("evidence-wrong");
    expect(codeOf(settle(tie, originalStays))).toBe("committed");
  });

  test("[DC5] a serving replica never goes for one that does not serve, whichever is to stay", () => {
    const original = metAgain({ reconcile: "keep-original" });
    expect(codeOf(settle(original, originalStays))).toBe("evidence-wrong");
    report(original, ORIGINAL, "starting");
    expect(codeOf(settle(original, originalStays))).toBe("evidence-wrong");
    const replacement = metAgain({ reconcile: "keep-replacement" });
    report(replacement, ORIGINAL, "serving");
    report(replacement, REPLACEMENT, "starting");
    expect(codeOf(settle(replacement, replacementStays))).toBe("evidence-wrong");
  });

  test("[DC3] incarnations go on from the last one of the index, under whichever name it was", () => {
    const plane = metAgain({ reconcile: "keep-original" });
    report(plane, ORIGINAL, "serving");
    settle(plane, originalStays);
    plane.must({
      kind: "report",
      replica: ORIGINAL,
      incarnation: 1,
      node: "a-1",
      session: 2,
      stage: "failed",
    });
    expect(plane.admitted(0, 3).status.incarnation).toBe(3);
  });

  test("[DC5] nothing is settled while the original's node is away, or twice", () => {
    const plane = metAgain({ reconcile: "keep-original" });
    plane.nowMs = 30_000;
    plane.fallenSilent();
    expect(codeOf(settle(plane, originalStays))).toBe("evidence-wrong");
    const twice = metAgain({ reconcile: "keep-replacement" });
    settle(twice, replacementStays);
    expect(codeOf(settle(twice, replacementStays))).toBe("wrong-stage");
  });

  test("[DC5] is for release-lost to ask for, and of the two of one index only", () => {
    const plane = metAgain({ reconcile: "keep-original" });
    expect(codeOf(settle(plane, originalStays, "admit"))).toBe("not-owner");
    const stranger = { goes: REPLACEMENT, stays: indexKey(1) };
    expect(codeOf(settle(plane, stranger))).toBe("evidence-wrong");
  });

  test("[DC5] a replacement that has no node yet gives its place in the queue back", () => {
    const plane = metAgain({ reconcile: "keep-replacement" });
    const { status, ...rest } = at(plane, REPLACEMENT);
    const queued = { ...status, stage: "queued", node: undefined, session: 0 } as const;
    plane.plant({ ...rest, status: queued });
    const evidence = { kind: "reconciled", stays: ORIGINAL } as const;
    const evict = { kind: "evict", replica: REPLACEMENT, incarnation: 2, evidence } as const;
    plane.must(evict, { role: "release-lost", operation: "settle" });
    expect(at(plane, REPLACEMENT).status).toMatchObject({ stage: "released" });
    expect(at(plane, ORIGINAL).status.superseded).toBeUndefined();
    expect(plane.account().reserved.cpuMillis).toBe(0);
  });
});
