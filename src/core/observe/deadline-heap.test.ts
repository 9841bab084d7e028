import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DeadlineHeap } from "./deadline-heap.ts";

const drained = (heap: DeadlineHeap<{ readonly deadlineMs: number }>): number[] => {
  const times: number[] = [];
  for (let first = heap.first(); first !== undefined; first = heap.first()) {
    times.push(first.deadlineMs);
    heap.shift();
  }
  return times;
};

test("a heap of deadlines gives them in their order, whatever came and went before", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(50))), fc.nat(50), (steps, least) => {
      const heap = new DeadlineHeap();
      let left: readonly number[] = [];
      for (const step of steps) {
        if (step === null) {
          heap.shift();
          left = left.toSorted((a, b) => a - b).slice(1);
        } else {
          heap.push({ deadlineMs: step });
          left = [...left, step];
        }
      }
      heap.keep(({ deadlineMs }) => deadlineMs >= least);
      const kept = left.filter((ms) => ms >= least).toSorted((a, b) => a - b);
      expect(heap.size).toBe(kept.length);
      expect(drained(heap)).toEqual(kept);
    }),
  );
});
