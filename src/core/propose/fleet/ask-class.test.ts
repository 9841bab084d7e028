import { describe, expect, test } from "vitest";
import type { ScoringPolicy } from "../policies/scoring-policy.ts";
import { AskClass } from "./ask-class.ts";
import type { NodeChecks } from "./check-nodes.ts";
import { type AskShape, Fleet } from "./fleet.ts";
import type { NeighbourRule } from "../../rules/obstacles/neighbour-rules.ts";

const SHAPE: AskShape = { cpuMillis: 100, memoryMiB: 0, units: 0, unitMillis: 0, kinds: undefined };

/** The fullest scores highest, until it changes its mind. */
class Fullest implements ScoringPolicy {
  readonly name = "fullest";
  version = 0;
  sign: 1 | -1 = 1;
  asked = 0;

  arrived(): void {
    // It takes every ask alike.
  }

  score(fleet: Fleet, row: number): number {
    this.asked += 1;
    return -this.sign * (fleet.cpuFree[row] ?? 0);
  }

  units(): readonly number[] {
    return [];
  }
}

/** Rows r0, r1, … with so much CPU free. */
class ClassHarness {
  readonly fleet: Fleet;
  readonly barred = new Map<number, string>();
  readonly held = new Set<number>();
  readonly zones: readonly string[];
  readonly policy = new Fullest();

  constructor(free: readonly number[], zones: readonly string[] = []) {
    this.zones = zones;
    this.fleet = new Fleet(
      free.map((cpuMillis, at) => ({
        name: `r${at}`,
        cpuMillis,
        memoryMiB: 0,
        cpuUsedMillis: 0,
        memoryUsedMiB: 0,
        replicasLeft: 100,
        deviceMillisLeft: 0,
        units: [],
      })),
    );
  }

  make(...rules: readonly NeighbourRule[]): AskClass {
    const check: NodeChecks = {
      turnsAway: (row) => this.barred.get(row),
      holdsBack: (row) => (this.held.has(row) ? "held" : undefined),
      points: () => 0,
      domain: (row, by) => (by === "node" ? `r${row}` : this.zones[row]),
    };
    const { fleet, policy } = this;
    return new AskClass({ fleet, policy, shape: SHAPE, check, rules });
  }

  bar(row: number, rule: string | undefined): void {
    if (rule === undefined) this.barred.delete(row);
    else this.barred.set(row, rule);
    this.fleet.nodeChanged(row);
  }
}

const aRule = (of: Partial<NeighbourRule> & { counts: Map<string, number> }): NeighbourRule => ({
  name: "spread",
  by: "zone",
  looksAt: "fewest",
  forbids: (domain, fewest) => (of.counts.get(domain ?? "") ?? 0) + 1 - fewest > 1,
  points: () => 0,
  ...of,
});

const favourZb = (zone: string | undefined): number => (zone === "zb" ? 250 : 0);

const counted = (found: AskClass): Record<string, number> =>
  Object.fromEntries([...found.rejected()].map(([rule, { count }]) => [rule, count]));

describe("an ask class", () => {
  test("has the best row, the first of equals, and what comes next", () => {
    const found = new ClassHarness([500, 300, 300, 900]).make();
    expect(found.best()).toMatchObject({ row: 1, score: -300 });
    expect(found.top(3).map(({ row }) => row)).toEqual([1, 2, 0]);
  });

  test("counts by rule what is out, with the first row of each", () => {
    const harness = new ClassHarness([50, 300, 10, 400]);
    harness.bar(3, "taints");
    harness.held.add(1);
    const found = harness.make();
    expect(Object.fromEntries(found.rejected())).toEqual({
      capacity: { count: 2, row: 0 },
      held: { count: 1, row: 1 },
      taints: { count: 1, row: 3 },
    });
    expect(found.best()).toBeUndefined();
    expect(found.hasRoomSomewhere).toBe(false);
  });

  test("looks again only at rows that were touched", () => {
    const harness = new ClassHarness(Array.from({ length: 50 }, () => 500));
    const found = harness.make();
    expect(found.best()?.row).toBe(0);
    harness.policy.asked = 0;
    harness.fleet.take(7, SHAPE, [], 1);
    expect(found.best()?.row).toBe(7);
    expect(harness.policy.asked).toBe(1);
    expect(found.best()?.row).toBe(7);
    expect(harness.policy.asked).toBe(1);
  });

  test("looks at all rows when it has missed touches, or when the policy has changed its mind", () => {
    const harness = new ClassHarness([500, 300]);
    const found = harness.make();
    expect(found.best()?.row).toBe(1);
    harness.fleet.take(1, { ...SHAPE, cpuMillis: 250 }, [], 1);
    for (let at = 0; at < 70_000; at += 1) harness.fleet.nodeChanged(0);
    expect(found.best()?.row).toBe(0);
    harness.fleet.take(1, { ...SHAPE, cpuMillis: 250 }, [], -1);
    harness.policy.sign = -1;
    harness.policy.version = 1;
    expect(found.top(2).map(({ row }) => row)).toEqual([0, 1]);
  });

  test("asks anew whether a row may be used when its node changed", () => {
    const harness = new ClassHarness([500, 300]);
    const found = harness.make();
    harness.bar(1, "schedulable");
    expect([found.best()?.row, counted(found)]).toEqual([0, { schedulable: 1 }]);
    harness.bar(1, undefined);
    expect([found.best()?.row, counted(found)]).toEqual([1, {}]);
  });
});

describe("rules about places", () => {
  const zones = ["za", "za", "zb", "zb"];

  test("forbid whole places, by what the emptiest usable one has", () => {
    const counts = new Map([["za", 1]]);
    const harness = new ClassHarness([300, 400, 500, 600], zones);
    const found = harness.make(aRule({ counts }));
    expect([found.best()?.row, counted(found)]).toEqual([2, { spread: 2 }]);
    // A place that nobody may use does not hold the others back.
    harness.bar(2, "taints");
    harness.bar(3, "taints");
    expect([found.best()?.row, counted(found)]).toEqual([0, { taints: 2 }]);
    harness.bar(2, undefined);
    expect(found.best()?.row).toBe(2);
  });

  test("count a place whose only row is held back for a moment", () => {
    const harness = new ClassHarness([300, 400], ["za", "zb"]);
    harness.held.add(1);
    const found = harness.make(aRule({ counts: new Map([["za", 1]]) }));
    expect([found.best(), counted(found)]).toEqual([undefined, { spread: 1, held: 1 }]);
  });

  test("favour places by points that are added to the best of each", () => {
    const harness = new ClassHarness([300, 400, 500, 600], zones);
    const found = harness.make(
      aRule({ counts: new Map(), forbids: () => false, points: favourZb }),
    );
    expect(found.best()).toEqual({ row: 2, score: -250, neighbourPoints: 250 });
  });
});

describe("rules about single nodes", () => {
  test("look at all rows again when the emptiest node is another", () => {
    const counts = new Map<string, number>();
    const harness = new ClassHarness([300, 400, 500]);
    const found = harness.make(aRule({ by: "node", counts }));
    const placed: (number | undefined)[] = [];
    for (let at = 0; at < 4; at += 1) {
      const row = found.best()?.row;
      placed.push(row);
      if (row === undefined) continue;
      counts.set(`r${row}`, (counts.get(`r${row}`) ?? 0) + 1);
      harness.fleet.take(row, { ...SHAPE, cpuMillis: 1 }, [], 1);
    }
    expect(placed).toEqual([0, 1, 2, 0]);
  });

  test("look at all rows again when there is one at all, or none any more", () => {
    const counts = new Map<string, number>();
    const harness = new ClassHarness([300, 400]);
    const forbids = (node: string | undefined) => counts.size > 0 && !counts.has(node ?? "");
    const found = harness.make(aRule({ by: "node", looksAt: "whether-any", counts, forbids }));
    expect(found.best()?.row).toBe(0);
    counts.set("r1", 1);
    harness.fleet.nodeChanged(1);
    expect([found.best()?.row, counted(found)]).toEqual([1, { spread: 1 }]);
    counts.clear();
    harness.fleet.nodeChanged(1);
    expect(found.best()?.row).toBe(0);
  });
});
