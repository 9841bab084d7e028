import { describe, expect, test } from "vitest";
import { BerthScheduler } from "./berth-scheduler.ts";
import { partsOf } from "./gang-scheduler.ts";
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

const play = (jobs: readonly Job[], nodes = 2): PhillyFigures => {
  const scheduler = new BerthScheduler({ nodes, devicesEach: 2 }, "best-fit");
  return playPhilly(jobs, { devices: 2 * nodes, scheduler });
};

describe("playing jobs on the product's scheduler", () => {
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
    // The later one of the poor goes first, and the earlier one of the rich waits for these ten
    // seconds more.
    expect(play(jobs, 1).waitMaxS).toBe(HOUR + 10 - 1);
  });

  test("keeps a node for one that was passed over for too long", () => {
    // Small ones come every half hour, each for an hour: without a kept node the large one waits
    // for the last of them.
    const small = Array.from({ length: 40 }, (_, at) =>
      job(at + 1, { submittedS: at * (HOUR / 2), tenant: "b" }),
    );
    const large = job(0, { submittedS: 1, devices: 2 });
    const jobs = [...small, large].toSorted((a, b) => a.submittedS - b.submittedS);
    // It starts when the first two have ended, and the third waits until it has ended, too.
    expect(play(jobs, 1)).toMatchObject({ jobs: 41, waitMaxS: 1.5 * HOUR });
  });
});

test("the parts of a gang are alike, and as few as fit on nodes", () => {
  const parts = [1, 8, 16, 20, 18, 11].map((devices) => partsOf(devices, 8));
  expect(parts.map(({ count, each }) => `${count} × ${each}`)).toEqual([
    "1 × 1",
    "1 × 8",
    "2 × 8",
    "4 × 5",
    "3 × 6",
    "11 × 1",
  ]);
});
