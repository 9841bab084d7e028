import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { EventQueue } from "./event-queue.ts";

function drain(queue: EventQueue<number>): number[] {
  const order: number[] = [];
  while (queue.size > 0) order.push(queue.pop() ?? -1);
  return order;
}

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

test.prop([fc.array(fc.integer({ min: 0, max: 20 }))])(
  "property: events come out by time, then by arrival",
  (times) => {
    const queue = new EventQueue<number>();
    times.forEach((atMs, event) => queue.push(atMs, event));
    const sorted = times
      .map((atMs, event) => ({ atMs, event }))
      .toSorted((a, b) => a.atMs - b.atMs);
    expect(drain(queue)).toEqual(sorted.map(({ event }) => event));
  },
);

test.prop([fc.array(fc.option(fc.integer({ min: 0, max: 20 })))])(
  "property: pushing and popping in any order never gives an earlier time after a later one",
  (steps) => {
    const queue = new EventQueue<number>();
    let nowMs = 0;
    for (const delay of steps) {
      if (delay !== null) queue.push(nowMs + delay, nowMs + delay);
      else if (queue.size > 0) {
        const nextMs = queue.nextMs;
        expect(queue.pop()).toBe(nextMs);
        expect(nextMs).toBeGreaterThanOrEqual(nowMs);
        nowMs = nextMs;
      }
    }
  },
);
