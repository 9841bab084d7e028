import { describe, expect, test } from "vitest";
import { createBestFit } from "../../core/propose/policies/best-fit.ts";
import { FairQueue } from "./fair-queue.ts";
import type { PhillyFigures } from "./measures.ts";
import type { Job } from "./philly-trace.ts";
import { playPhilly } from "./play-philly.ts";

const HOUR = 3_600;

const job = (id: number, of: Partial<Job>): Job => ({
  id,
  tenant: "a",
  submittedS: id,
  durationS: HOUR,
  devices: 1,
  ...of,
});

const play = (jobs: readonly Job[], nodes = 2): PhillyFigures =>
  playPhilly(jobs, { nodes, devicesEach: 2, policy: createBestFit(), queue: new FairQueue() });

describe("playing jobs", () => {
  test("starts a gang with all its places or not at all", () => {
    // Three devices are free for an hour, and then four: the gang takes none until it can take all.
    const { waitMaxS, jobs } = play([job(0, {}), job(1, { devices: 4 }), job(2, { devices: 2 })]);
    expect(jobs).toBe(3);
    expect(waitMaxS).toBe(2 + HOUR - 1);
  });

  test("gives the tenant that holds less its turn first", () => {
    const jobs = [
      job(0, { tenant: "rich", submittedS: 0, durationS: 1_000 * HOUR }),
      job(1, { tenant: "third", submittedS: 0 }),
      job(2, { tenant: "rich", submittedS: 1 }),
      job(3, { tenant: "poor", submittedS: 2, durationS: 10 }),
    ];
    // The later one of the poor goes first, and the earlier one of the rich waits for these ten seconds more.
    expect(play(jobs, 1).waitMaxS).toBe(HOUR + 10 - 1);
  });

  test("makes room for one that is overdue, at the cost of tenants that hold more", () => {
    const long = { durationS: 1_000 * HOUR };
    const jobs = [
      ...[0, 1, 2, 3].map((id) => job(id, { ...long, tenant: "rich", submittedS: 0 })),
      job(4, { tenant: "poor", submittedS: 1 }),
      // Somebody has to come for anybody to look.
      job(5, { tenant: "rich", submittedS: 13 * HOUR }),
    ];
    const { preemptions, waitMaxS } = play(jobs);
    expect(preemptions).toBe(1);
    expect(waitMaxS).toBeLessThan(20 * HOUR);
  });

  test("does not stop jobs of a tenant that would then hold less", () => {
    const long = { durationS: 100 * HOUR };
    const jobs = [
      job(0, { ...long, tenant: "a", devices: 2 }),
      job(1, { ...long, tenant: "b", devices: 2 }),
      job(2, { tenant: "c", devices: 4 }),
      job(3, { tenant: "d", submittedS: 13 * HOUR }),
    ];
    expect(play(jobs).preemptions).toBe(0);
  });
});
