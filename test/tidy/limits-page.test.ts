import { describe, expect, it } from "vitest";
import { limitsPage, readLimitTables } from "./limits-page.ts";

const aLimit = (value: number, unit: "bytes" | "ms" | "count" | "per second") => ({
  value,
  unit,
  of: "a thing",
  beyond: "429",
  why: "because",
});

describe("limitsPage()", () => {
  it("shows each number in the unit that people read", () => {
    const table = {
      body: aLimit(3 * 1024 * 1024, "bytes"),
      odd: aLimit(1_500, "bytes"),
      wait: aLimit(1_800_000, "ms"),
      pause: aLimit(1_500, "ms"),
      many: aLimit(20_000, "count"),
      pace: aLimit(1_000, "per second"),
    };
    const page = limitsPage([{ path: "src/x-limits.ts", name: "X", table }]);
    const shown = [...page.matchAll(/^\| a thing \| ([^|]+) \|/gm)].map(([, number]) => number);
    expect(shown).toEqual([
      "3 MiB",
      "1,500 bytes",
      "30 min",
      "1,500 ms",
      "20,000",
      "1,000 per second",
    ]);
  });

  it("readLimitTables() finds the tables of files that are named for limits, and no others", async () => {
    const files = ["src/api/http/limits.ts", "src/core/model/limits/limit.ts", "src/api/errors.ts"];
    const found = await readLimitTables(files.map((path) => ({ path, text: "" })));
    expect(found.map(({ name }) => name)).toEqual(["API_LIMITS"]);
  });
});
