import { describe, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { BootClock } from "./boot-clock.ts";

const uptimeMs = (): number => Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) * 1_000;

describe("the boot clock", () => {
  test("shows what /proc/uptime shows, and finer", () => {
    const clock = new BootClock();
    const before = uptimeMs();
    const shown = clock.sinceBootMs();
    // The file shows hundredths, cut off.
    expect(shown).toBeGreaterThanOrEqual(before - 10);
    expect(shown).toBeLessThanOrEqual(uptimeMs() + 10);
  });

  test("never goes back, and tells whole milliseconds [CL1]", () => {
    const clock = new BootClock();
    let last = clock.nowMs();
    for (let turn = 0; turn < 1_000; turn += 1) {
      const now = clock.nowMs();
      expect(now).toBeGreaterThanOrEqual(last);
      expect(Number.isInteger(now)).toBe(true);
      last = now;
    }
  });

  test("turns what it told into time since boot, never later than it was", () => {
    const clock = new BootClock();
    const told = clock.nowMs();
    expect(clock.toSinceBootMs(told)).toBeLessThanOrEqual(clock.sinceBootMs());
  });
});
