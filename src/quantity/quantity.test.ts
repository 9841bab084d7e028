import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCpu, formatMemory, parseCpu, parseMemory } from "./quantity.ts";

describe("quantities", () => {
  it.each([
    ["500m", 500],
    ["2", 2000],
    ["1.5", 1500],
    ["1.1", 1100],
    ["0", 0],
  ])("parseCpu() reads %s", (text, millis) => {
    expect(parseCpu(text)).toBe(millis);
  });

  it.each(["", "-1", "1.0001", "0.5m", "2 cores", "1e3"])("parseCpu() refuses %j", (text) => {
    expect(parseCpu(text)).toBeUndefined();
  });

  it.each([
    ["256Mi", 256],
    ["4Gi", 4096],
    ["1Ti", 1_048_576],
    ["2048Ki", 2],
    ["1048576", 1],
    ["0.5Gi", 512],
    ["0", 0],
  ])("parseMemory() reads %s", (text, mib) => {
    expect(parseMemory(text)).toBe(mib);
  });

  it.each(["", "-1Mi", "1Ki", "500M", "1MB", "lots"])("parseMemory() refuses %j", (text) => {
    expect(parseMemory(text)).toBeUndefined();
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
