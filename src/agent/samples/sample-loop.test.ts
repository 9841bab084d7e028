import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ObjectKey } from "../../core/model/ids.ts";
import { type Measured, SampleLoop } from "./sample-loop.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const sample: Measured = {
  replica: "Replica/payments/api.1.0" as ObjectKey,
  metric: "cpu",
  value: 1,
};

describe("the loop that measures", () => {
  test("looks at its pace, and less often where no autoscaler uses its samples", async () => {
    let wanted = 1;
    const told: number[] = [];
    const loop = new SampleLoop({
      everyMs: 10,
      take: () => Promise.resolve([sample]),
      tell: ({ length }) => Promise.resolve((told.push(length), wanted)),
    });
    loop.start();
    await vi.advanceTimersByTimeAsync(30);
    expect(told).toHaveLength(3);
    wanted = 0;
    await vi.advanceTimersByTimeAsync(10 + 3 * 30);
    expect(told).toHaveLength(3 + 1 + 3);
    loop.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told).toHaveLength(7);
  });

  test("waits for a slow look instead of beginning another, and says nothing after its end [AS10]", async () => {
    let looks = 0;
    let told = 0;
    const loop = new SampleLoop({
      everyMs: 10,
      take: async () => {
        looks += 1;
        await new Promise((resolve) => setTimeout(resolve, 100));
        return [sample];
      },
      tell: () => Promise.resolve((told += 1)),
    });
    loop.start();
    await vi.advanceTimersByTimeAsync(109);
    expect([looks, told]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(11);
    expect([looks, told]).toEqual([2, 1]);
    loop.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([looks, told]).toEqual([2, 1]);
  });

  test("goes on after a look that failed", async () => {
    let looks = 0;
    const loop = new SampleLoop({
      everyMs: 10,
      take: () => Promise.reject(new Error(`no file can be opened, ${(looks += 1)}`)),
      tell: () => Promise.resolve(0),
    });
    loop.start();
    await vi.advanceTimersByTimeAsync(50);
    loop.stop();
    expect(looks).toBe(5);
  });
});
