import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCpu, formatMemory, parseCpu, parseMemory, readCpu, readMemory } from "./quantity.ts";

describe("quantities", () => {
  it.each([
    ["500m", 500],
    ["2", 2000],
    ["1.5", 1500],
    ["1.1", 1100],
    ["0", 0],
    ["0.5", 500],
    ["1e3", 1_000_000],
    ["5e-1", 500],
  ])("parseCpu() reads %s", (text, millis) => {
    expect(parseCpu(text)).toBe(millis);
  });

  it.each(["", "-1", "1.0001", "0.5m", "2 cores", "1e", "1e-4", "1e3m"])(
    "parseCpu() refuses %j",
    (text) => {
      expect(parseCpu(text)).toBeUndefined();
    },
  );

  it.each([
    ["256Mi", 256],
    ["4Gi", 4096],
    ["1Ti", 1_048_576],
    ["2048Ki", 2],
    ["1048576", 1],
    ["0.5Gi", 512],
    ["64M", 62],
    ["500M", 477],
    ["1G", 954],
    ["128e6", 123],
    ["0", 0],
  ])("parseMemory() reads %s", (text, mib) => {
    expect(parseMemory(text)).toBe(mib);
  });

  it.each(["", "-1Mi", "1Ki", "500k", "1000", "1.5Ki", "1MB", "lots"])(
    "parseMemory() refuses %j",
    (text) => {
      expect(parseMemory(text)).toBeUndefined();
    },
  );

  it.each([
    ["-1", "negative"],
    ["0.5m", "too-fine"],
    ["1.00000000001", "too-fine"],
    ["9007199254740.992", "too-large"],
    ["2 cores", "malformed"],
    ["1constructor", "malformed"],
    ["1".repeat(50), "malformed"],
  ])("readCpu() says why %j is not a quantity", (text, fault) => {
    expect(readCpu(text)).toBe(fault);
  });

  it.each([
    ["-1Mi", "negative"],
    ["1Ki", "too-fine"],
    ["64000000", "too-fine"],
    ["9007199254740992Mi", "too-large"],
    ["1MB", "malformed"],
  ])("readMemory() says why %j is not a quantity", (text, fault) => {
    expect(readMemory(text)).toBe(fault);
  });

  it("the largest quantity is read exactly, and the next one is refused", () => {
    expect(readCpu("9007199254740.991")).toBe(Number.MAX_SAFE_INTEGER);
    expect(readMemory("8Pi")).toBe(8 * 2 ** 30);
    expect(readCpu("-0")).toBe(0);
  });

  it("property: what is written is read back", () => {
    fc.assert(
      fc.property(fc.nat(), (amount) => {
        expect(parseCpu(String(formatCpu(amount)))).toBe(amount);
        expect(parseMemory(String(formatMemory(amount)))).toBe(amount);
      }),
    );
  });
});
