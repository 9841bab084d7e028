import { expect, test } from "vitest";
import { run } from "./run.ts";
import type { RunResult } from "./report/run-result.ts";
import { standardWorld } from "./world/standard-world.ts";
import { isDrawnRegional } from "./swarm/swarm-regional.ts";
import { drawSwarm, swarmRates } from "./swarm/swarm.ts";

const SEEDS = Array.from({ length: 25 }, (_, at) => at + 1);

const swarm = (
  seed: number,
  more: { shakeOrder?: boolean; trace?: boolean; untilTurn?: number } = {},
): RunResult => {
  const { world, rates } = drawSwarm(seed);
  return run({ world, seed, faults: { explicit: [], rates }, ...more });
};

/** Run once for all that is held against it. */
const ran = new Map<number, RunResult>();
function firstRun(seed: number): RunResult {
  const known = ran.get(seed) ?? swarm(seed);
  ran.set(seed, known);
  return known;
}

test.each(SEEDS)("seed %i gives the same run again [SIM1]", (seed) => {
  const { hash, events, endedMs, fired } = firstRun(seed);
  expect(swarm(seed)).toMatchObject({ hash, events, endedMs, fired });
});

test("different seeds give different runs", () => {
  expect(new Set(SEEDS.map((seed) => firstRun(seed).hash)).size).toBe(SEEDS.length);
});

// A world with several planes keeps no list of what fired at each of them yet.
test.each(SEEDS.filter((seed) => !isDrawnRegional(seed)))(
  "the faults that fired in seed %i, listed explicitly, give the same run without the swarm [SIM2]",
  (seed) => {
    const drawn = firstRun(seed);
    const { world } = drawSwarm(seed);
    const listed = run({ world, seed, faults: { explicit: drawn.fired, rates: {} } });
    expect(listed).toMatchObject({ hash: drawn.hash, events: drawn.events });
    expect(listed.fired).toEqual(drawn.fired);
  },
);

test.each(SEEDS)(
  "the order of lists and of changes within a commit changes nothing in seed %i [SIM3]",
  (seed) => {
    expect(swarm(seed, { shakeOrder: true }).hash).toBe(firstRun(seed).hash);
  },
);

test("being watched changes nothing [SIM1]", () => {
  const traced = swarm(4, { trace: true });
  expect(traced.hash).toBe(firstRun(4).hash);
  expect(traced.trace.length).toBeGreaterThan(100);
});

test("a run stops after exactly as many turns as it was given", () => {
  expect(swarm(4, { untilTurn: 500 }).events).toBe(500);
  const first = swarm(4, { trace: true, untilTurn: 500 }).trace;
  expect(swarm(4, { trace: true }).trace.slice(0, first.length)).toEqual(first);
});

test("the standard world comes to rest when nothing goes wrong", () => {
  const world = standardWorld();
  const calm = run({ world, seed: 1, faults: { explicit: [], rates: {} } });
  expect(calm).toMatchObject({ violation: undefined, fired: [], endedMs: world.faultsUntilMs });
});

test("the standard world keeps its rules under a swarm", () => {
  for (const seed of [1, 2, 3]) {
    const stormy = run({
      world: standardWorld(),
      seed,
      faults: { explicit: [], rates: swarmRates(seed) },
    });
    expect(stormy.violation).toBeUndefined();
    expect(stormy.fired.length).toBeGreaterThan(0);
  }
});
