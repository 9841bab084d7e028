import { describe, expect, test } from "vitest";
import { aPlane, type Plane, indexKey, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import type { TemplateParts } from "../../../../test/builders/a-template.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { type ObjectKey, parseKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const SECOND = `${indexKey(0)}.r` as ObjectKey;
const AT = { node: "a-1", session: 1 } as const;

/** A replica serves on a-1, which falls silent and is fenced; b-1 has room. */
function cutOff(of: TemplateParts): Plane {
  const plane = aPlane({ desired: of });
  plane.joined("b-1");
  plane.serving();
  plane.fallenSilent();
  plane.renew({ node: "b-1", seq: 2 });
  return plane;
}

const replace = (plane: Plane, key = indexKey(0)): Outcome => {
  const { incarnation } = plane.ledger.objects.replica(key)!.status;
  return plane.send({
    kind: "release",
    key,
    incarnation,
    evidence: { kind: "replace-after", ...AT },
  });
};

const release = (plane: Plane): Outcome => {
  const evidence = { kind: "node-fenced", ...AT } as const;
  return plane.send({ kind: "release", key: indexKey(0), incarnation: 1, evidence });
};

const second = (plane: Plane): Replica => plane.ledger.objects.replica(SECOND)!;

/** Replaced after a minute; the index's next incarnation is queued and serves on b-1. */
function replaced(of: TemplateParts = {}): Plane {
  const plane = cutOff({ onDisconnect: "keep", replaceAfterMs: 60_000, ...of });
  plane.nowMs = 60_000;
  replace(plane);
  plane.must({
    kind: "enqueue",
    workload: WORKLOAD,
    generation: 1,
    indexes: [{ index: 0, incarnation: 2 }],
  });
  return plane;
}

describe("a replica that keeps running", () => {
  test("[DC2] is replaced when its node was silent for as long as its workload waits, and not before", () => {
    const plane = cutOff({ onDisconnect: "keep", replaceAfterMs: 60_000 });
    plane.nowMs = 59_999;
    expect(replace(plane)).toMatchObject({
      code: "replace-not-due",
      expected: "node silent for 60000 ms",
      actual: "59999 ms",
    });
    plane.nowMs = 60_000;
    expect(codeOf(replace(plane))).toBe("committed");
    expect(plane.replica().status).toMatchObject({
      stage: "unknown",
      node: "a-1",
      superseded: { sinceMs: 60_000, evidence: { kind: "replace-after", node: "a-1" } },
    });
  });

  test("[DC2] a new leadership counts its node's silence from its own beginning", () => {
    const plane = cutOff({ onDisconnect: "keep", replaceAfterMs: 60_000 });
    plane.nowMs = 50_000;
    plane.lead(2);
    plane.nowMs = 109_999;
    expect(codeOf(replace(plane))).toBe("replace-not-due");
    plane.nowMs = 110_000;
    expect(codeOf(replace(plane))).toBe("committed");
  });

  test("[DC2] is not replaced without its workload's word, or while its node is not fenced", () => {
    const never = cutOff({ onDisconnect: "keep" });
    never.nowMs = 9_000_000;
    expect(codeOf(replace(never))).toBe("keeps-running");
    const plane = aPlane({ desired: { onDisconnect: "keep", replaceAfterMs: 1 } });
    plane.serving();
    plane.nowMs = 9_000_000;
    expect(codeOf(replace(plane))).toBe("evidence-wrong");
  });

  test("[DC2] keeps its node and its quota for as long as it may run", () => {
    const plane = replaced();
    const use = plane.ledger.objects.useOf("a-1");
    expect([use.replicas, use.cpuMillis]).toEqual([1, 100]);
    expect(plane.account().committed.cpuMillis + plane.account().reserved.cpuMillis).toBe(200);
  });

  test("[DC3] its index's next incarnation is another replica, under the index's second name", () => {
    const plane = replaced();
    expect(second(plane)).toMatchObject({
      meta: { name: "api.1.0.r" },
      spec: { index: 0, generation: 1 },
      status: { stage: "queued", incarnation: 2 },
    });
  });

  test("[DC3] there is no third: one that was replaced is not replaced again, and neither is its replacement", () => {
    const plane = replaced();
    expect(codeOf(replace(plane))).toBe("already-replaced");
    plane.must({ kind: "bind", replica: SECOND, incarnation: 2, node: "b-1", deviceIds: [] });
    plane.nowMs = 70_000;
    plane.renew({ node: "b-1", seq: 3 });
    plane.fallenSilent("b-1");
    plane.nowMs = 200_000;
    const evidence = { kind: "replace-after", node: "b-1", session: 1 } as const;
    expect(codeOf(plane.send({ kind: "release", key: SECOND, incarnation: 2, evidence }))).toBe(
      "already-replaced",
    );
  });

  test("[DC3] one that ended before it was followed by another is the index's own again", () => {
    const plane = cutOff({ onDisconnect: "keep", replaceAfterMs: 60_000 });
    plane.nowMs = 60_000;
    replace(plane);
    plane.renew({ session: 2 });
    const evidence = { kind: "session-ended", ...AT } as const;
    plane.must({ kind: "release", key: indexKey(0), incarnation: 1, evidence });
    const incarnation = plane.admitted(0, 2);
    expect([incarnation.key, incarnation.status.superseded]).toEqual([indexKey(0), undefined]);
  });

  test("[OB4] one that was replaced and has ended is deleted, but not while its index has no other", () => {
    const plane = cutOff({ onDisconnect: "keep", replaceAfterMs: 60_000 });
    plane.nowMs = 60_000;
    replace(plane);
    plane.renew({ session: 2 });
    const evidence = { kind: "session-ended", ...AT } as const;
    plane.must({ kind: "release", key: indexKey(0), incarnation: 1, evidence });
    const remove = { kind: "delete", key: indexKey(0), expect: {} } as const;
    expect(codeOf(plane.send(remove))).toBe("still-in-use");
    const gone = replaced();
    gone.renew({ session: 2 });
    gone.must({ kind: "release", key: indexKey(0), incarnation: 1, evidence });
    expect(codeOf(gone.send(remove))).toBe("committed");
    expect(parseKey(second(gone).key).name).toBe("api.1.0.r");
  });

  test("[EV5] is released at once when a person vouches that its node is gone", () => {
    const plane = aPlane({ desired: { onDisconnect: "keep", replaceAfterMs: 60_000 } });
    plane.serving();
    plane.vouchedGone();
    expect(codeOf(release(plane))).toBe("committed");
    expect(plane.replica().status.lastEnd).toBe(
      "node-fenced: a-1 session 1, on the word of ops: scrapped",
    );
  });
});

describe("a replica that stops", () => {
  test("[DC1] is released as soon as its node is fenced, and says what that rested on [EV8]", () => {
    const plane = cutOff({});
    expect(codeOf(release(plane))).toBe("committed");
    expect(plane.replica().status.lastEnd).toBe(
      "node-fenced: a-1 session 1, lease silent for 18.5 s",
    );
  });

  test("[DC1] is not waited for again by a new leadership when its workload says nothing of it", () => {
    const plane = cutOff({});
    plane.lead(2);
    expect(codeOf(release(plane))).toBe("committed");
    const patient = cutOff({ replaceAfterMs: 30_000 });
    patient.nowMs = 30_000;
    patient.lead(2);
    expect(codeOf(release(patient))).toBe("replace-not-due");
  });

  test("[DC1] is not moved before its workload has waited for its node", () => {
    const plane = cutOff({ replaceAfterMs: 45_000 });
    plane.nowMs = 44_999;
    expect(codeOf(release(plane))).toBe("replace-not-due");
    plane.nowMs = 45_000;
    expect(codeOf(release(plane))).toBe("committed");
  });

  test("[DC1] begins a new incarnation where it was when its node is back in time", () => {
    const plane = cutOff({ replaceAfterMs: 45_000 });
    plane.nowMs = 30_000;
    plane.renew({ session: 2 });
    expect(plane.replica().status).toMatchObject({
      stage: "bound",
      node: "a-1",
      session: 2,
      incarnation: 2,
    });
    expect(plane.account().committed.cpuMillis).toBe(100);
  });

  test("[DC1] without a word of its workload, or on its way out, it does not", () => {
    const plane = cutOff({});
    plane.renew({ session: 2 });
    expect(plane.replica().status).toMatchObject({ stage: "unknown", session: 1, incarnation: 1 });
    const drained = cutOff({ replaceAfterMs: 45_000 });
    const node = drained.node();
    drained.plant({ ...node, spec: { ...node.spec, draining: true } });
    drained.must({ kind: "lease", node: "a-1", session: 2, seq: 1, kept: [] }, { operation: "x" });
    expect(drained.replica().status).toMatchObject({ stage: "unknown", session: 1 });
  });
});
