import { describe, expect, test } from "vitest";
import { aPlane, type Plane, indexKey, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Role } from "../../model/actor.ts";
import type { Evidence } from "../../model/evidence.ts";
import { nodeKey } from "../../model/ids.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const FENCED: Evidence = { kind: "node-fenced", node: "a-1", session: 1 };
const GONE: Evidence = { kind: "owner-gone", owner: indexKey() };
const ENDED: Evidence = { kind: "session-ended", node: "a-1", session: 1 };

const release = (
  plane: Plane,
  evidence: Evidence,
  of: { incarnation?: number; role?: Role } = {},
): Outcome =>
  plane.send(
    { kind: "release", key: indexKey(), incarnation: of.incarnation ?? 1, evidence },
    { role: of.role ?? "release-lost" },
  );

describe("a lost replica", () => {
  test("is released when its node was fenced, and gives back all it held [EV1]", () => {
    const plane = aPlane({ desired: { cpuMillis: 300 } });
    plane.serving();
    plane.fallenSilent();
    expect(codeOf(release(plane, FENCED))).toBe("committed");
    expect(plane.replica().status).toMatchObject({
      stage: "released",
      node: undefined,
      deviceIds: [],
    });
    expect(plane.account().committed.cpuMillis).toBe(0);
    expect(plane.ledger.objects.useOf("a-1").cpuMillis).toBe(0);
  });

  test("is released when its node's session has ended [EV1]", () => {
    const plane = aPlane();
    plane.serving();
    plane.renew({ session: 2, seq: 1 });
    expect(codeOf(release(plane, ENDED))).toBe("committed");
    expect(plane.lastCommit.evidence).toEqual(ENDED);
  });

  test("is not released on any other kind of evidence [EV1]", () => {
    const plane = aPlane();
    plane.serving();
    plane.fallenSilent();
    const others: readonly Evidence[] = [
      { kind: "lease-expired", node: "a-1", session: 1, seq: 1 },
      { kind: "person", name: "ops", statement: "gone" },
      { kind: "surplus", workload: WORKLOAD },
      { kind: "drain", node: "a-1" },
      GONE,
    ];
    for (const evidence of others) {
      expect(release(plane, evidence)).toMatchObject({ kind: "refused", code: "evidence-missing" });
    }
  });

  test("is not released while its node is merely silent [EV2]", () => {
    const plane = aPlane();
    plane.serving();
    expect(codeOf(release(plane, FENCED))).toBe("evidence-wrong");
    plane.must({
      kind: "transition",
      key: nodeKey("a-1"),
      session: 1,
      from: "ready",
      to: "unknown",
      evidence: { kind: "lease-expired", node: "a-1", session: 1, seq: 1 },
    });
    expect(release(plane, FENCED)).toMatchObject({
      kind: "conflict",
      code: "evidence-wrong",
      expected: "fenced",
      actual: "unknown",
    });
  });

  test("is not released while the session it was bound in goes on [EV2]", () => {
    const plane = aPlane();
    plane.serving();
    expect(release(plane, ENDED)).toMatchObject({ kind: "conflict", code: "evidence-wrong" });
  });

  test("is not released on evidence about another node or session [EV2]", () => {
    const plane = aPlane();
    plane.joined("b-1");
    plane.serving();
    plane.vouchedGone("b-1");
    expect(codeOf(release(plane, { ...FENCED, node: "b-1" }))).toBe("evidence-wrong");
    plane.vouchedGone("a-1");
    expect(codeOf(release(plane, { ...FENCED, session: 2 }))).toBe("evidence-wrong");
    expect(codeOf(release(plane, FENCED))).toBe("committed");
  });

  test("that keeps running when disconnected outlives its node's silence [EV5]", () => {
    const plane = aPlane({ desired: { onDisconnect: "keep" } });
    plane.serving();
    plane.fallenSilent();
    expect(release(plane, FENCED)).toMatchObject({ kind: "conflict", code: "keeps-running" });
    expect(plane.replica().status.node).toBe("a-1");
  });

  test("that keeps running is released when a person says that the node is gone [EV5]", () => {
    const plane = aPlane({ desired: { onDisconnect: "keep" } });
    plane.serving();
    plane.vouchedGone();
    expect(codeOf(release(plane, FENCED))).toBe("committed");
  });

  test("that keeps running is released when a new session came without it [EV5]", () => {
    const plane = aPlane({ desired: { onDisconnect: "keep" } });
    plane.serving();
    plane.fallenSilent();
    plane.renew({ session: 2, seq: 1, kept: [] });
    expect(codeOf(release(plane, ENDED))).toBe("committed");
  });

  test("is released by release-lost alone [ST1]", () => {
    const plane = aPlane();
    plane.serving();
    plane.vouchedGone();
    for (const role of ["user", "admit", "node-health", "agent", "reclaim-leak"] as const) {
      expect(release(plane, FENCED, { role })).toMatchObject({
        kind: "refused",
        code: "not-owner",
      });
    }
  });

  test("holds a node: one that is at rest already is a conflict [ST2]", () => {
    const plane = aPlane();
    plane.serving();
    plane.vouchedGone();
    release(plane, FENCED);
    expect(release(plane, FENCED)).toMatchObject({ kind: "conflict", code: "wrong-stage" });
  });

  test("that was never bound is not release-lost's to end [ST1]", () => {
    const plane = aPlane();
    plane.queued();
    expect(codeOf(release(plane, FENCED))).toBe("not-owner");
  });

  test("is released in its present incarnation [ST3]", () => {
    const plane = aPlane();
    plane.serving();
    plane.vouchedGone();
    expect(release(plane, FENCED, { incarnation: 2 })).toMatchObject({ code: "wrong-incarnation" });
  });

  test("that does not exist is a conflict [OB1]", () => {
    expect(codeOf(release(aPlane(), FENCED))).toBe("no-such-object");
  });
});
