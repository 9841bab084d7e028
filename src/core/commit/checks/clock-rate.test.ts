import { describe, expect, test } from "vitest";
import { aPlane, type Plane } from "../../../../test/builders/a-plane.ts";

interface Renewals {
  readonly forMs: number;
  /** Parts in a thousand that the agent's clock is fast. */
  readonly offBy: number;
  readonly delayMs?: (renewal: number) => number;
  /** Where the agent's clock began; another incarnation of it begins elsewhere. */
  readonly originMs?: number;
}

/**
 * A renewal every five seconds of the plane's time; the agent's clock has its own origin and pace.
 */
function renewing(plane: Plane, { forMs, offBy, delayMs, originMs = 7_000_000 }: Renewals): Plane {
  const startMs = plane.nowMs;
  const { session, seq: from } = plane.ledger.objects.lease("Lease//a-1" as never)!.status;
  for (let time = 1; time * 5_000 <= forMs; time += 1) {
    const sentMs = startMs + time * 5_000;
    plane.nowMs = sentMs + (delayMs?.(time) ?? 3);
    const nowMs = originMs + Math.floor(((sentMs - startMs) * (1000 + offBy)) / 1000);
    plane.renew({ session, seq: from + time, clock: { startedMs: originMs, nowMs } });
  }
  return plane;
}

const suspicion = (plane: Plane): number | undefined => plane.node().status.clock?.offBy;

/** All are slow but one of a minute. */
const mostlySlow = (renewal: number): number => (renewal % 12 === 5 ? 20 : 4_000);

describe("the pace of an agent's clock", () => {
  test.each([0, 10, -10, 20, -20])(
    "[CL2] is borne when it is off by %i parts in a thousand",
    (offBy) => {
      expect(suspicion(renewing(aPlane(), { forMs: 600_000, offBy }))).toBeUndefined();
    },
  );

  test.each([
    [30, 30],
    [-30, -30],
    [100, 100],
    [-200, -200],
  ])("[CL2] is suspect when it is off by %i, within three minutes", (offBy, found) => {
    expect(suspicion(renewing(aPlane(), { forMs: 180_000, offBy }))).toBe(found);
  });

  test("[CL2] a slow link is no slow clock, as long as one renewal of a minute is quick", () => {
    const plane = renewing(aPlane(), { forMs: 600_000, offBy: 0, delayMs: mostlySlow });
    expect(suspicion(plane)).toBeUndefined();
  });

  test("[CL2] another incarnation of the agent counts from another origin, and is compared with its own", () => {
    const plane = aPlane();
    for (const originMs of [1_000, 90_000_000, 5]) {
      renewing(plane, { forMs: 90_000, offBy: 0, originMs });
    }
    expect(suspicion(plane)).toBeUndefined();
  });

  test("[CL2] a new leadership reads another clock, and begins anew", () => {
    const plane = renewing(aPlane(), { forMs: 110_000, offBy: 0 });
    plane.nowMs = 12;
    plane.lead(2);
    renewing(plane, { forMs: 110_000, offBy: 0 });
    expect(suspicion(plane)).toBeUndefined();
  });

  test("[CL2] a suspect clock keeps new work away until it was seen to be right for a minute", () => {
    const plane = renewing(aPlane(), { forMs: 180_000, offBy: 50 });
    const { key } = plane.queued();
    const bind = {
      kind: "bind",
      replica: key,
      incarnation: 1,
      node: "a-1",
      deviceIds: [],
    } as const;
    expect(plane.send(bind)).toMatchObject({
      code: "node-not-schedulable",
      actual: "clock-suspect",
    });
    renewing(plane, { forMs: 180_000, offBy: 0, originMs: 3 });
    expect(plane.send(bind).kind).toBe("committed");
  });

  test("[CL2] an agent that tells no time is suspected of nothing", () => {
    const plane = aPlane();
    for (let seq = 2; seq < 100; seq += 1) {
      plane.nowMs += 5_000;
      plane.renew({ seq });
    }
    expect(suspicion(plane)).toBeUndefined();
  });
});
