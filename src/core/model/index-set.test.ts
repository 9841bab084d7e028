import { describe, expect, test } from "vitest";
import {
  ALL_INDEXES,
  hasIndex,
  NO_END,
  NO_INDEXES,
  indexCount,
  indexesMissing,
  indexesOf,
  type IndexSet,
  withoutIndexes,
  withIndexes,
} from "./index-set.ts";

const REPLICAS = 40;
const indexes = Array.from({ length: REPLICAS }, (_, at) => at);
const everySecond = indexes.filter((index) => index % 2 === 0);

describe("a set of indexes", () => {
  test("has what was added and not what was taken", () => {
    const some = withoutIndexes(withIndexes(NO_INDEXES, [0, 1, 2, 5]), [1]);
    expect(some).toEqual([0, 1, 2, 3, 5, 6]);
    expect(indexes.filter((index) => hasIndex(some, index))).toEqual([0, 2, 5]);
  });

  test("is one run when its indexes follow each other", () => {
    expect(withIndexes(withIndexes(NO_INDEXES, [0, 1]), [2, 3])).toEqual([0, 4]);
    expect(withIndexes([0, 2, 3, 5], [2])).toEqual([0, 5]);
    expect(withoutIndexes(ALL_INDEXES, [0, 1, 2])).toEqual([3, NO_END]);
  });

  test("of many runs is asked by halves and says the same", () => {
    const many = withIndexes(NO_INDEXES, everySecond);
    expect(many.length).toBe(REPLICAS);
    expect(indexes.filter((index) => hasIndex(many, index))).toEqual(everySecond);
  });

  test("is counted and listed below the number of replicas only", () => {
    expect(indexCount(ALL_INDEXES, 7)).toBe(7);
    expect(indexCount([2, 4, 6, NO_END], 8)).toBe(4);
    expect(indexCount([9, 12], 8)).toBe(0);
    expect([...indexesOf([2, 4, 6, NO_END], 8)]).toEqual([2, 3, 6, 7]);
  });

  test("names the first indexes it lacks", () => {
    expect(indexesMissing(NO_INDEXES, 5, 3)).toEqual([0, 1, 2]);
    expect(indexesMissing([1, 3], 5, 9)).toEqual([0, 3, 4]);
    expect(indexesMissing([0, 2, 4, 6], 5, 9)).toEqual([2, 3]);
    expect(indexesMissing(ALL_INDEXES, 5, 9)).toEqual([]);
  });

  test("is the same as a plain set under any order of additions and removals", () => {
    let set: IndexSet = NO_INDEXES;
    const plain = new Set<number>();
    for (let round = 0; round < 200; round += 1) {
      const picked = indexes.filter((index) => (index * 7 + round * 13) % 5 === round % 5);
      const fresh = picked.filter((index) => !plain.has(index));
      const gone = picked.filter((index) => plain.has(index));
      set = withoutIndexes(withIndexes(set, fresh), gone);
      for (const index of fresh) plain.add(index);
      for (const index of gone) plain.delete(index);
      expect([...indexesOf(set, REPLICAS)]).toEqual([...plain].toSorted((a, b) => a - b));
      expect(indexCount(set, REPLICAS)).toBe(plain.size);
      expect(indexes.filter((index) => hasIndex(set, index)).length).toBe(plain.size);
    }
  });
});
