import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runBerth } from "../../../test/builders/run-berth.ts";
import { workloadKey } from "../../core/model/ids.ts";
import type { TwinRun } from "../../twin/twin-run.ts";
import { readWorldFile } from "../../scenario/world-file.ts";
import { fleetOfWorld } from "../../twin/fleet-of-world.ts";
import { isBroken, reviewLonger } from "../../review/check/longer-review.ts";

const EXAMPLES = "examples/review";
const WORLD = `${EXAMPLES}/risk-api-world.yaml`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-longer-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Of the ready promises and the worked example those whose runs differ most. */
const PROMISES = ["payments/recovers-from-all-of-it", "berth/no-storm"];

describe("a longer review", () => {
  test.each(PROMISES)("breaks neither %s nor the tightest of its kind", async (only) => {
    const options = ["--world", WORLD, "--only", only, "--seeds", "5", "--longer", "10"];
    const { out, err, code } = await runBerth("review", `${EXAMPLES}/risk-api.yaml`, ...options);
    expect(err).toBe("");
    expect(out).toMatch(
      /With 50 runs, none of them, as stated or as tight as possible, is breached\./,
    );
    expect(code).toBe(0);
  });

  test("breaks nothing of what berth review init proposes for a recovery", async () => {
    const world = ["--world", "examples/risk-api-recovery.yaml"];
    const file = join(folder, "proposed.yaml");
    await runBerth("review", "init", ...world, "--out", file);
    const only = ["--only", "lab/sweep-recovers", "--seeds", "3", "--longer", "10"];
    const { out, code } = await runBerth("review", file, ...world, ...only);
    expect(out).toMatch(/1 promise of 1 holds with 3 runs. With 30 runs, none of them/);
    expect(code).toBe(0);
  });

  test("says what it breaks: a recovery that one run of eight misses by far", () => {
    const fleet = fleetOfWorld(readWorldFile(WORLD));
    const spec = {
      recover: { workload: "risk-api", withinMs: 300_000 },
      when: { lose: "region", which: "eu-central" },
    } as const;
    const promise = { namespace: "payments", name: "p", spec };
    const terms = { profile: "berth", seeds: 3, times: 10, runTwin: missedBySeed(8) } as const;
    const row = reviewLonger(fleet, promise, terms);
    expect(row.stated).toEqual({
      verdict: "holds",
      worstMs: 60_000,
      longer: "breached",
      longerMs: 400_000,
    });
    expect(isBroken(row)).toBe(true);
  });
});

/** Runs as a twin would tell them. */
const missedBySeed = (slow: number) => (_fleet: unknown, _scenario: unknown, seed: number) => {
  const recoveredMs = seed === slow ? 400_000 : 60_000;
  const run: TwinRun = {
    seed,
    events: 1,
    hash: `${seed}`,
    recoveries: [
      {
        workload: workloadKey("payments", "risk-api"),
        before: 4,
        least: 0,
        recoveredMs,
        stages: {},
        absences: [],
      },
    ],
    waits: [],
    drains: [],
    violations: [],
  };
  return run;
};
