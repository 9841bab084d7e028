import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ObjectKey } from "../../core/model/ids.ts";
import { SloBreaches } from "./slo-breaches.ts";

const FAST = "Slo//fast" as ObjectKey;
const plane = { revision: 0 };
const budgets = new Map<ObjectKey, number>();
let breaches: SloBreaches;
beforeEach(() => {
  plane.revision = 0;
  budgets.clear();
  breaches = new SloBreaches({
    plane,
    clock: { nowMs: () => plane.revision * 1_000 },
    slos: {
      keys: () => budgets.keys(),
      read: (key) => ({
        measured: 10,
        good: 0.9,
        budgetLeft: budgets.get(key) ?? 1,
        burn5m: 0,
        burn1h: 0,
        sinceMs: 0,
      }),
    },
  });
});
afterEach(() => breaches.close());

function look(revision: number, budgetLeft: number | undefined) {
  plane.revision = revision;
  if (budgetLeft === undefined) budgets.delete(FAST);
  else budgets.set(FAST, budgetLeft);
  breaches.look();
  return breaches.breaches.map(({ began, ended }) => [began.revision, ended?.revision]);
}

describe("SloBreaches", () => {
  it("tells when a budget was spent, and when some of it was left again", () => {
    expect(look(1, 0.5)).toEqual([]);
    expect(look(2, -0.1)).toEqual([[2, undefined]]);
    expect(look(3, -3)).toEqual([[2, undefined]]);
    expect(look(4, 0)).toEqual([[2, 4]]);
    expect(look(5, -1)).toEqual([
      [2, 4],
      [5, undefined],
    ]);
    expect(breaches.breaches[0]).toMatchObject({ key: FAST, good: 0.9, began: { atMs: 2_000 } });
  });

  it("ends with the objective, and forgets the oldest beyond two hundred", () => {
    look(1, -1);
    expect(look(2, undefined)).toEqual([[1, 2]]);
    for (let at = 3; at < 600; at += 2) {
      look(at, -1);
      look(at + 1, 1);
    }
    expect(breaches.breaches).toHaveLength(200);
    expect(breaches.breaches.at(-1)?.began.revision).toBe(599);
  });
});
