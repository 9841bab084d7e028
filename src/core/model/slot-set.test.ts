import { describe, expect, test } from "vitest";
import {
  ALL_SLOTS,
  hasSlot,
  NO_END,
  NO_SLOTS,
  slotCount,
  slotsMissing,
  slotsOf,
  type SlotSet,
  withoutSlots,
  withSlots,
} from "./slot-set.ts";

const REPLICAS = 40;
const slots = Array.from({ length: REPLICAS }, (_, at) => at);
const everySecond = slots.filter((slot) => slot % 2 === 0);

describe("a set of slots", () => {
  test("has what was added and not what was taken", () => {
    const some = withoutSlots(withSlots(NO_SLOTS, [0, 1, 2, 5]), [1]);
    expect(some).toEqual([0, 1, 2, 3, 5, 6]);
    expect(slots.filter((slot) => hasSlot(some, slot))).toEqual([0, 2, 5]);
  });

  test("is one run when its slots follow each other", () => {
    expect(withSlots(withSlots(NO_SLOTS, [0, 1]), [2, 3])).toEqual([0, 4]);
    expect(withSlots([0, 2, 3, 5], [2])).toEqual([0, 5]);
    expect(withoutSlots(ALL_SLOTS, [0, 1, 2])).toEqual([3, NO_END]);
  });

  test("of many runs is asked by halves and says the same", () => {
    const many = withSlots(NO_SLOTS, everySecond);
    expect(many.length).toBe(REPLICAS);
    expect(slots.filter((slot) => hasSlot(many, slot))).toEqual(everySecond);
  });

  test("is counted and listed below the number of replicas only", () => {
    expect(slotCount(ALL_SLOTS, 7)).toBe(7);
    expect(slotCount([2, 4, 6, NO_END], 8)).toBe(4);
    expect(slotCount([9, 12], 8)).toBe(0);
    expect([...slotsOf([2, 4, 6, NO_END], 8)]).toEqual([2, 3, 6, 7]);
  });

  test("names the first slots it lacks", () => {
    expect(slotsMissing(NO_SLOTS, 5, 3)).toEqual([0, 1, 2]);
    expect(slotsMissing([1, 3], 5, 9)).toEqual([0, 3, 4]);
    expect(slotsMissing([0, 2, 4, 6], 5, 9)).toEqual([2, 3]);
    expect(slotsMissing(ALL_SLOTS, 5, 9)).toEqual([]);
  });

  test("is the same as a plain set under any order of additions and removals", () => {
    let set: SlotSet = NO_SLOTS;
    const plain = new Set<number>();
    for (let round = 0; round < 200; round += 1) {
      const picked = slots.filter((slot) => (slot * 7 + round * 13) % 5 === round % 5);
      const fresh = picked.filter((slot) => !plain.has(slot));
      const gone = picked.filter((slot) => plain.has(slot));
      set = withoutSlots(withSlots(set, fresh), gone);
      for (const slot of fresh) plain.add(slot);
      for (const slot of gone) plain.delete(slot);
      expect([...slotsOf(set, REPLICAS)]).toEqual([...plain].toSorted((a, b) => a - b));
      expect(slotCount(set, REPLICAS)).toBe(plain.size);
      expect(slots.filter((slot) => hasSlot(set, slot)).length).toBe(plain.size);
    }
  });
});
