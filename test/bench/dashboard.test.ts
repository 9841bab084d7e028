/** `berth bench dashboard`, tiny, in a real browser: that it measures what it promises. How fast it is, is nobody's business here. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildWeb } from "../../scripts/build-web.mjs";
import { BuiltBerth } from "./a-built-berth.ts";

const berth = new BuiltBerth();
const scratch = join(berth.folder, "scratch");

beforeAll(async () => {
  await berth.build();
  await buildWeb(join(berth.folder, "web"));
  mkdirSync(scratch);
});
afterAll(() => berth.remove());

const TINY = ["--nodes", "20", "--replicas", "100", "--updates", "30", "--seconds", "1"];
const aNumber = expect.any(Number) as unknown;
const THREAD = { seconds: aNumber, busy: aNumber, longestTaskMs: aNumber, longTasks: aNumber };

describe("berth bench dashboard", () => {
  it("tells what a browser fetched, when it could be used and how busy it was, and leaves nothing running", async () => {
    const args = ["dashboard", ...TINY, "--loads", "1", "--json", "--dir", scratch];
    const { code, out, err } = await berth.run("bench", ...args);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const figures = JSON.parse(out) as Readonly<Record<string, Readonly<Record<string, number>>>>;
    expect(figures).toMatchObject({
      benchmark: "dashboard",
      browser: expect.stringMatching(/^chromium \d/) as unknown,
      firstViewFullMs: aNumber,
      updates: { ...THREAD, sent: 30 },
      map: THREAD,
      table: { ...THREAD, rows: 50 },
      options: { nodes: 20, replicas: 100, updatesPerSecond: 30 },
    });
    const { firstView, updates } = figures;
    expect(firstView?.["bytes"]).toBeGreaterThan(1_000);
    expect(firstView?.["usableMs"]).toBeGreaterThan(0);
    // A page that is told of them draws them.
    expect(updates?.["framesPerSecond"]).toBeGreaterThan(0);
    expect(berth.processes()).toEqual([]);
  });

  it("says what is missing where there is no browser", async () => {
    const kept = process.env["CHROMIUM"];
    process.env["CHROMIUM"] = join(scratch, "no-chromium");
    try {
      const { code, err } = await berth.run("bench", "dashboard", ...TINY, "--dir", scratch);
      expect(code).toBe(1);
      expect(err).toMatch(/no-chromium\. Install chromium .*\[no-browser\]/);
    } finally {
      if (kept === undefined) delete process.env["CHROMIUM"];
      else process.env["CHROMIUM"] = kept;
    }
  });
});
