import { describe, expect, test } from "vitest";
import { aPlane, type Plane } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { leaseKey, nodeKey } from "../../model/ids.ts";
import type { Outcome } from "../../protocol/outcome.ts";

/** The node is late by so much, and then speaks again. */
function flap(plane: Plane, atMs: number): void {
  const { session, seq } = plane.ledger.objects.lease(leaseKey("a-1"))!.status;
  const evidence = { kind: "lease-expired", node: "a-1", session, seq } as const;
  const key = nodeKey("a-1");
  plane.nowMs = atMs;
  plane.must({ kind: "transition", key, session, from: "ready", to: "suspect", evidence });
  plane.renew({ seq: seq + 1 });
}

function flapping(times: number, everyMs = 20_000): Plane {
  const plane = aPlane();
  for (let time = 1; time <= times; time += 1) flap(plane, time * everyMs);
  return plane;
}

const lift = (plane: Plane, of: { readonly incarnation?: number } = {}): Outcome =>
  plane.send(
    {
      kind: "expire",
      key: nodeKey("a-1"),
      incarnation: of.incarnation ?? 1,
      evidence: { kind: "damping-over", node: "a-1" },
    },
    { role: "node-health" },
  );

describe("a node that comes and goes", () => {
  test("[FL1] is borne three times in ten minutes", () => {
    expect(flapping(3).node().status.damped).toBeUndefined();
  });

  test("[FL1] is held for a minute after the fourth return, and says why and until when", () => {
    expect(flapping(4).node().status.damped).toEqual({
      sinceMs: 80_000,
      untilMs: 140_000,
      times: 4,
      epoch: 1,
    });
  });

  test("[FL1] is held twice as long with every return, and at most for ten minutes", () => {
    const holds = [5, 6, 7, 8, 9].map((times) => {
      const { sinceMs, untilMs } = flapping(times).node().status.damped!;
      return untilMs - sinceMs;
    });
    expect(holds).toEqual([120_000, 240_000, 480_000, 600_000, 600_000]);
  });

  test("[FL1] is forgiven what is more than ten minutes ago", () => {
    expect(flapping(8, 200_001).node().status.damped).toBeUndefined();
  });

  test("[FL1] takes nothing new while it is held", () => {
    const plane = flapping(4);
    plane.queued();
    const { key } = plane.replica();
    const bound = plane.send({
      kind: "bind",
      replica: key,
      incarnation: 1,
      node: "a-1",
      deviceIds: [],
    });
    expect(bound).toMatchObject({
      code: "node-not-schedulable",
      actual: "held for flapping, 4 returns in ten minutes",
    });
  });

  test("[FL1] its first word is no return, and neither is a session after another without a silence", () => {
    const plane = aPlane();
    for (let session = 2; session < 9; session += 1) plane.renew({ session });
    expect(plane.node().status.returns).toBeUndefined();
  });

  test("[FL1] a new leadership begins to count anew, and keeps what is held", () => {
    const plane = flapping(4);
    plane.lead(2);
    flap(plane, 100_000);
    expect(plane.node().status).toMatchObject({
      damped: { times: 4, epoch: 1 },
      returns: { epoch: 2, atMs: [100_000] },
    });
  });
});

describe("the end of the hold", () => {
  test("[FL2] is committed once its time is over on the authority's clock, and not before", () => {
    const plane = flapping(4);
    plane.nowMs = 139_999;
    expect(lift(plane)).toMatchObject({ code: "damping-not-over", actual: "1 ms left" });
    plane.nowMs = 140_000;
    expect(codeOf(lift(plane))).toBe("committed");
    expect(plane.node().status.damped).toBeUndefined();
  });

  test("[FL2] counts from the beginning of a new leadership, whose clock is another", () => {
    const plane = flapping(4);
    plane.nowMs = 10;
    plane.lead(2);
    plane.nowMs = 60_009;
    expect(codeOf(lift(plane))).toBe("damping-not-over");
    plane.nowMs = 60_010;
    expect(codeOf(lift(plane))).toBe("committed");
  });

  test("[FL2] is for node-health to ask for, in the present session, with its own evidence", () => {
    const plane = flapping(4);
    plane.nowMs = 200_000;
    expect(codeOf(lift(plane, { incarnation: 2 }))).toBe("session-ended");
    const key = nodeKey("a-1");
    const evidence = { kind: "damping-over", node: "a-1" } as const;
    expect(codeOf(plane.send({ kind: "expire", key, incarnation: 1, evidence }))).toBe("not-owner");
    const drain = { kind: "drain", node: "a-1" } as const;
    const role = "node-health";
    expect(
      codeOf(plane.send({ kind: "expire", key, incarnation: 1, evidence: drain }, { role })),
    ).toBe("evidence-missing");
    expect(codeOf(lift(plane))).toBe("committed");
    expect(codeOf(lift(plane))).toBe("evidence-wrong");
  });
});
