/** `berth top --api`, and `GET /shares` behind it, before a real plane. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CommandLine } from "./a-served-plane.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
});
afterAll(() => cli.stop());

describe("berth top --api", () => {
  it("[FS7] shows the levels, and the callers of the last minute with their tenants", async () => {
    await cli.must("get", "workloads", "-n", "shop");
    const out = await cli.must("top", "--api");
    const rows = out.split("\n").map((line) => line.split(/ {2,}/));
    expect(rows[0]?.slice(0, 4)).toEqual(["LEVEL", "SEATS", "OWN", "MOST"]);
    expect(rows.slice(1, 6).map(([level]) => level)).toEqual([
      "leases",
      "controllers",
      "system",
      "people",
      "bulk",
    ]);
    const own = rows.find((row) => row[1] === "local" && row[2] === "shop");
    expect(own?.[0]).toBe("people");
    expect(Number(own?.[6])).toBeGreaterThan(0);
    expect(Number(own?.[10])).toBeGreaterThan(100);
  });
});
