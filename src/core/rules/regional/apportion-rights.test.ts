import { describe, expect, test } from "vitest";
import type { Amounts } from "../../model/amounts.ts";
import { apportionRights, type RegionShare } from "./apportion-rights.ts";

const cpu = (cpuMillis: number): Amounts => ({ cpuMillis, memoryMiB: 0, deviceMillis: 0 });

interface Said {
  readonly charged?: number;
  readonly waiting?: number;
  readonly largest?: number;
  readonly smallest?: number;
  readonly most?: number;
}

const share = (region: string, of: Said): RegionShare => ({
  region,
  demand: {
    charged: cpu(of.charged ?? 0),
    waiting: cpu(of.waiting ?? 0),
    largest: cpu(of.largest ?? of.waiting ?? 0),
    smallest: cpu(of.smallest ?? of.largest ?? of.waiting ?? 0),
  },
  most: of.most === undefined ? undefined : cpu(of.most),
});

describe("the rights of a tenant are apportioned", () => {
  const cases: readonly (readonly [string, number, readonly Said[], readonly number[]])[] = [
    ["in equal shares where nothing is used", 90, [{}, {}, {}], [30, 30, 30]],
    ["beyond what each region charges", 100, [{ charged: 70 }, { charged: 10 }], [80, 20]],
    ["to where work waits, first", 100, [{ charged: 60, waiting: 30 }, {}], [95, 5]],
    [
      "so that each has its part of a shortage",
      40,
      [
        { waiting: 90, largest: 10 },
        { waiting: 90, largest: 10 },
      ],
      [20, 20],
    ],
    [
      "in whole replicas, not in parts that fit nothing",
      30,
      [{ waiting: 30 }, { waiting: 30 }],
      [30, 0],
    ],
    [
      "with what is left for those that are small enough for it",
      30,
      [{ waiting: 50, largest: 40, smallest: 10 }, {}],
      [30, 0],
    ],
    [
      "with what one has no use for going to another",
      60,
      [{ waiting: 50, largest: 50 }, { waiting: 5 }],
      [52, 7],
    ],
    ["within the bound of a region", 100, [{ most: 10 }, {}], [10, 50]],
    ["within it for waiting work too", 100, [{ most: 10, waiting: 40, largest: 5 }, {}], [10, 45]],
    [
      "down to equal parts of a quota that was made smaller",
      50,
      [{ charged: 80 }, { charged: 20 }],
      [40, 10],
    ],
    ["down to nothing", 0, [{ charged: 80 }, { waiting: 5 }], [0, 0]],
  ];
  test.each(cases)("%s [RG15]", (_, pool, said, rights) => {
    const shares = said.map((of, at) => share(`r${at}`, of));
    const found = apportionRights(cpu(pool), shares);
    expect(shares.map(({ region }) => found.get(region)?.cpuMillis)).toEqual(rights);
    const sum = [...found.values()].reduce((all, { cpuMillis }) => all + cpuMillis, 0);
    expect(sum).toBeLessThanOrEqual(pool);
  });

  test("the same whatever order the regions are in [RG15]", () => {
    const shares = [share("a", { waiting: 30 }), share("b", { waiting: 30 })];
    const forth = apportionRights(cpu(40), shares);
    const back = apportionRights(cpu(40), shares.toReversed());
    expect(Object.fromEntries(back)).toEqual(Object.fromEntries(forth));
  });
});
