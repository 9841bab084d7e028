import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EventQueue } from "./event-queue.ts";

function drain(queue: EventQueue<number>): number[] {
  const order: number[] = [];
  while (queue.size > 0) order.push(queue.pop() ?? -1);
  return order;
}

const byTime = (times: readonly number[]): number[] =>
  times
    .map((atMs, event) => ({ atMs, event }))
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ event }) => event);

test("an empty queue has no next time and gives nothing", () => {
  const queue = new EventQueue<string>();
  expect(queue.nextMs).toBe(Infinity);
  expect(queue.pop()).toBeUndefined();
});

test("events of one time come out in the order they were put in", () => {
  const queue = new EventQueue<number>();
  for (let event = 0; event < 100; event++) queue.push(5, event);
  expect(drain(queue)).toEqual(Array.from({ length: 100 }, (_, event) => event));
});

test("property: events come out by time, then by arrival", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (times) => {
      const queue = new EventQueue<number>();
      times.forEach((atMs, event) => queue.push(atMs, event));
      expect(drain(queue)).toEqual(byTime(times));
    }),
  );
});

test("property: taking and putting in turns never gives an earlier time after a later one", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 20 }))), (steps) => {
      const queue = new EventQueue<number>();
      const taken: number[] = [];
      for (const delay of steps) {
        if (delay === null) taken.push(queue.pop() ?? taken.at(-1) ?? 0);
        else queue.push((taken.at(-1) ?? 0) + delay, (taken.at(-1) ?? 0) + delay);
      }
      expect(taken).toEqual(taken.toSorted((a, b) => a - b));
    }),
  );
});
