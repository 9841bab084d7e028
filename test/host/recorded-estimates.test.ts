/** What a plane said of waits, and how they ended, read from its recording. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { EstimateReport } from "../../src/cli/simulate/replay-estimates.ts";
import { runBerth } from "../builders/run-berth.ts";
import { RecordedFleet } from "./a-recorded-fleet.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-estimates-"));
});
afterAll(() => {
  // Also where the test ended before its fleet was closed.
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

describe("berth replay --estimates", () => {
  test("scores the waits that a recorded plane has estimated", async () => {
    const fleet = await RecordedFleet.open({ folder, nodes: ["a-1"] });
    await fleet.furnish({ "default-1": { scoring: "best-fit" } }, "default-1");
    await fleet.putDesired("web", { replicas: 4, quarters: 1 });
    await fleet.serving(4);
    await fleet.putDesired("late", { replicas: 3, quarters: 1 });
    // Each place that web leaves is one for late, and tells how soon the next may come.
    for (const replicas of [3, 2, 1]) {
      await fleet.pass(10_000);
      await fleet.putDesired("web", { replicas, quarters: 1 });
    }
    await fleet.serving(4);
    await fleet.close();

    const { out, code } = await runBerth("replay", folder, "--estimates", "--json");
    const report = JSON.parse(out) as EstimateReport;
    expect(code).toBe(0);
    expect(report).toMatchObject({ withInterval: 0, withinEndPercent: null, divergedAtTurn: null });
    expect(report.turns).toBeGreaterThan(50);
    expect(report.withoutInterval).toBeGreaterThan(0);
    expect(report.waits).toBe(report.withoutInterval);
    const text = await runBerth("replay", folder, "--estimates");
    expect(text.out).toContain(`${report.waits} wait`);
    expect(text.out).toContain(`${report.withinBareEstimatePercent} % ended within the estimate`);
  });

  test("rejects a file, of which there is nothing to score", async () => {
    const { err, code } = await runBerth("replay", "package.json", "--estimates");
    expect(err).toContain("--estimates reads the directory of a recording");
    expect(code).toBe(2);
  });
});
