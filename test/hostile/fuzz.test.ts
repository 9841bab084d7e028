/**
 * A real plane under hostile requests: the kept cases first, then as many drawn ones as the gate has time for. `npm run fuzz` goes
 * on for longer. `BERTH_FUZZ_SEED` draws another run.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HostilePlane } from "./a-hostile-plane.ts";
import { type Found, fuzz } from "./fuzz.ts";
import { HealthProber } from "./health-prober.ts";
import { keepCase } from "./keep-case.ts";
import { keptCases } from "./kept-cases.ts";
import { Oracle } from "./oracle.ts";

const seed = Number(process.env["BERTH_FUZZ_SEED"] ?? 1);
/** A bound in requests, so that the run is the same on every machine; the seconds only end a hang. */
const CASES = 1_000;
const SECONDS = 180;

const world = new HostilePlane();
beforeAll(() => world.start());
afterAll(() => world.remove());

describe("a plane under hostile requests", () => {
  it.each(keptCases)("kept: $name", async (one) => {
    const prober = new HealthProber(world.target.port);
    try {
      const oracle = new Oracle(world, prober);
      await oracle.begin();
      const { finding } = await oracle.check(one);
      expect(finding).toBeUndefined();
      expect(await oracle.honestFinding()).toBeUndefined();
      const runs = one.victim === undefined || (await world.runsHonestWork(one.victim));
      expect(runs).toBe(true);
    } finally {
      prober.end();
    }
  });

  it(`lives, answers, forgets nothing and leaves the honest tenant alone, whatever is sent`, async () => {
    const told: string[] = [`BERTH_FUZZ_SEED=${seed}`];
    const budget = { seed, cases: CASES, seconds: SECONDS };
    const onFound = (found: Found): void => void told.push(keepCase(found) ?? "of the whole run");
    const listener = { tell: (line: string) => void told.push(line), onFound };
    const report = await fuzz(world, budget, listener);
    process.stdout.write(
      `fuzz: seed ${seed}: ${report.cases} cases, ${report.requests} requests\n`,
    );
    expect({ found: report.found, told: report.found.length === 0 ? [] : told }).toEqual({
      found: [],
      told: [],
    });
    // The run was one: it was let in, and refused, and what it promised was looked at.
    expect(report.statuses.get(201) ?? 0).toBeGreaterThan(0);
    expect(report.acknowledged).toBeGreaterThan(0);
  });
});
