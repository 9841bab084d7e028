import { describe, expect, it } from "vitest";
import { parseUsage } from "./process-usage.ts";

const STATUS = "Name:\tnode\nVmPeak:\t  999999 kB\nVmHWM:\t  204800 kB\nVmRSS:\t  102400 kB\n";

describe("parseUsage()", () => {
  it("adds user and system time, and takes the peak of the memory", () => {
    const stat = "42 (node) S 1 42 42 0 -1 4194304 9 0 0 0 250 50 7 7 20 0 11 0 123 1 1";
    expect(parseUsage(stat, STATUS)).toEqual({ cpuSeconds: 3, peakRssMiB: 200 });
  });

  it("is not misled by a program whose name looks like more fields", () => {
    const stat = "42 (a) b (c) S 1 42 42 0 -1 4194304 9 0 0 0 100 0 7 7 20 0 11 0 123 1 1";
    expect(parseUsage(stat, STATUS)?.cpuSeconds).toBe(1);
  });

  it("claims nothing when the numbers are not there", () => {
    expect(parseUsage("", STATUS)).toBeUndefined();
    expect(parseUsage("42 (node) S 1 42 42 0 -1 4194304 9 0 0 0 1 1 7", "")).toBeUndefined();
  });
});
