import { describe, expect, test } from "vitest";
import { aNodeSpec } from "../../../../test/builders/a-node.ts";
import { aPlane, type Plane, putting, indexKey } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Role } from "../../model/actor.ts";
import type { Evidence } from "../../model/evidence.ts";
import { leaseKey, nodeKey } from "../../model/ids.ts";
import { SUSPECT_CLOCK_FENCE_MS } from "../../model/timing.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const NODE = nodeKey("a-1");
const LEASE = leaseKey("a-1");
const VANISHED: Evidence = { kind: "node-vanished", node: "a-1", session: 1 };

const orphan = (plane: Plane): Outcome =>
  plane.send({ kind: "delete", key: NODE, expect: {}, orphan: true });

const release = (
  plane: Plane,
  of: { key?: typeof NODE; evidence?: Evidence; role?: Role } = {},
): Outcome =>
  plane.send(
    {
      kind: of.key === undefined ? "release" : "expire",
      key: of.key ?? indexKey(),
      incarnation: 1,
      evidence: of.evidence ?? VANISHED,
    },
    { role: of.role ?? "release-vanished" },
  );

/** A replica serves on a node whose object was deleted. */
function aVanishedNode(onDisconnect: "stop" | "keep" = "stop"): Plane {
  const plane = aPlane({ desired: { onDisconnect, cpuMillis: 300 } });
  plane.serving();
  expect(codeOf(orphan(plane))).toBe("committed");
  return plane;
}

const anOldOne = (onDisconnect: "stop" | "keep" = "stop"): Plane => {
  const plane = aVanishedNode(onDisconnect);
  plane.nowMs += SUSPECT_CLOCK_FENCE_MS;
  return plane;
};

describe("a node that replicas hold", () => {
  test("is deleted alone when a person asks for just that, and its lease stays [OB9]", () => {
    const plane = aPlane();
    plane.serving();
    expect(codeOf(plane.send({ kind: "delete", key: NODE, expect: {} }))).toBe("still-in-use");
    expect(codeOf(orphan(plane))).toBe("committed");
    expect(plane.get(NODE)).toBeUndefined();
    expect(plane.get(LEASE)).toBeDefined();
    expect(plane.replica().status).toMatchObject({ stage: "serving", node: "a-1" });
  });

  test("and have all left takes its lease along, however it is deleted [OB9]", () => {
    const plane = aPlane();
    expect(codeOf(orphan(plane))).toBe("committed");
    expect(plane.get(LEASE)).toBeUndefined();
  });

  test("comes back under its name in the session it left: its own agent goes on in it [OB9]", () => {
    const plane = aVanishedNode();
    plane.must(putting(NODE, { kind: "Node", spec: aNodeSpec() }));
    expect(plane.node().status).toMatchObject({ health: "unknown", session: 1 });
    plane.renew({ session: 1, seq: 2 });
    expect(plane.node().status.health).toBe("ready");
  });

  test("comes back as another machine only in a later session, which ends the old one [OB9]", () => {
    const plane = aVanishedNode();
    plane.must(putting(NODE, { kind: "Node", spec: aNodeSpec() }));
    plane.renew({ session: 2, seq: 1 });
    const evidence: Evidence = { kind: "session-ended", node: "a-1", session: 1 };
    const freed = plane.send({ kind: "release", key: indexKey(), incarnation: 1, evidence });
    expect(codeOf(freed)).toBe("committed");
    expect(plane.node().status.session).toBe(2);
  });
});

describe("a replica on a node that was deleted", () => {
  test("is released once the lease is over by any clock, and not before [VN1]", () => {
    const plane = aVanishedNode();
    plane.nowMs += SUSPECT_CLOCK_FENCE_MS - 1;
    expect(codeOf(release(plane))).toBe("lease-not-over");
    plane.nowMs += 1;
    expect(codeOf(release(plane))).toBe("committed");
    expect(plane.replica().status).toMatchObject({ stage: "released", node: undefined });
    expect(plane.account().committed.cpuMillis).toBe(0);
  });

  test("gets its full time again from a new leadership [VN1]", () => {
    const plane = anOldOne();
    plane.lead(2);
    expect(codeOf(release(plane))).toBe("lease-not-over");
    plane.nowMs += SUSPECT_CLOCK_FENCE_MS;
    expect(codeOf(release(plane))).toBe("committed");
  });

  test("is not released while it keeps running on purpose: that is for a person [VN1] [EV5]", () => {
    expect(codeOf(release(anOldOne("keep")))).toBe("keeps-running");
  });

  test("is not released when the node is back [VN1]", () => {
    const plane = anOldOne();
    plane.must(putting(NODE, { kind: "Node", spec: aNodeSpec() }));
    expect(codeOf(release(plane))).toBe("evidence-wrong");
  });

  test("is released by no other controller, and on no other session or node [VN1] [RP1]", () => {
    const plane = anOldOne();
    expect(codeOf(release(plane, { role: "release-lost" }))).toBe("not-owner");
    const wrong = [
      { ...VANISHED, session: 2 },
      { ...VANISHED, node: "b-1" },
    ] as const;
    for (const evidence of wrong) {
      expect(codeOf(release(plane, { evidence }))).toBe("evidence-wrong");
    }
    const fenced: Evidence = { kind: "node-fenced", node: "a-1", session: 1 };
    expect(codeOf(release(plane, { evidence: fenced, role: "release-lost" }))).toBe(
      "evidence-wrong",
    );
  });

  test("that was never bound is not released so [VN1]", () => {
    const plane = aPlane();
    plane.queued();
    expect(codeOf(release(plane))).toBe("wrong-stage");
  });

  test("may still be brought to its end by its own agent [VN1]", () => {
    const plane = aVanishedNode();
    const stage = "released" as const;
    plane.must({
      kind: "report",
      replica: indexKey(),
      incarnation: 1,
      node: "a-1",
      session: 1,
      stage,
    });
    expect(plane.replica().status.stage).toBe("released");
  });
});

describe("the lease of a node that was deleted", () => {
  test("goes when nothing holds the node any more, and not before [VN2]", () => {
    const plane = anOldOne();
    expect(codeOf(release(plane, { key: LEASE }))).toBe("still-in-use");
    release(plane);
    const others: Evidence = { kind: "owner-gone", owner: indexKey() };
    expect(codeOf(release(plane, { key: LEASE, evidence: others }))).toBe("evidence-missing");
    expect(codeOf(release(plane, { key: LEASE, role: "reclaim-leak" }))).toBe("not-owner");
    expect(codeOf(release(plane, { key: LEASE }))).toBe("committed");
    expect(plane.get(LEASE)).toBeUndefined();
  });

  test("is released on no other session or node [VN2] [EV2]", () => {
    const plane = anOldOne();
    release(plane);
    const wrong = [
      { ...VANISHED, session: 2 },
      { ...VANISHED, node: "b-1" },
    ] as const;
    for (const evidence of wrong) {
      expect(codeOf(release(plane, { key: LEASE, evidence }))).toBe("evidence-wrong");
    }
    expect(codeOf(release(plane, { key: LEASE }))).toBe("committed");
  });

  test("of a node that is there stays [VN2]", () => {
    expect(codeOf(release(aPlane(), { key: LEASE }))).toBe("evidence-wrong");
  });
});
