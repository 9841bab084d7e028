import { describe, expect, it } from "vitest";
import { Pacer } from "./pacer.ts";

function aPacer(workMillis: number) {
  let now = 0;
  let slept = 0;
  const pacer = new Pacer({
    workMillis,
    nowMs: () => now,
    sleep: (ms) => {
      slept += ms;
      now += ms;
    },
  });
  return { pacer, work: (ms: number) => (now += ms), slept: () => slept, now: () => now };
}

describe("Pacer", () => {
  it("[CM5] a thread works for at most its part of the time, however its work is cut", () => {
    const { pacer, work, now } = aPacer(100);
    for (const stretchMs of [7, 300, 11, 5, 2_000, 64]) {
      work(stretchMs);
      pacer.rest();
    }
    expect(pacer.busyMs).toBe(2_387);
    expect(pacer.busyMs / now()).toBeLessThanOrEqual(0.1);
  });

  it("short stretches are counted together and not forgotten", () => {
    const { pacer, work, slept } = aPacer(100);
    for (let at = 0; at < 4; at += 1) {
      work(2);
      pacer.rest();
    }
    expect(pacer.busyMs).toBe(6);
    expect(slept()).toBe(54);
  });

  it("time without work is no work", () => {
    const { pacer, work, slept } = aPacer(100);
    work(10_000);
    pacer.begin();
    work(10);
    pacer.rest();
    expect(slept()).toBe(90);
  });
});
