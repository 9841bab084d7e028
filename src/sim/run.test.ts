import { expect, test } from "vitest";
import { run } from "./run.ts";
import type { RunResult } from "./run-result.ts";
import { standardWorld } from "./standard-world.ts";
import { drawSwarm, swarmRates } from "./swarm.ts";

const SEEDS = Array.from({ length: 25 }, (_, at) => at + 1);

const swarm = (
  seed: number,
  more: { shakeOrder?: boolean; trace?: boolean; untilTurn?: number } = {},
): RunResult => {
  const { world, rates } = drawSwarm(seed);
  return run({ world, seed, faults: { explicit: [], rates }, ...more });
};

test("the same seed gives the same run [SIM1]", () => {
  for (const seed of SEEDS) {
    const { hash, events, endedMs, fired } = swarm(seed);
    expect(swarm(seed)).toMatchObject({ hash, events, endedMs, fired });
  }
});

test("different seeds give different runs", () => {
  expect(new Set(SEEDS.map((seed) => swarm(seed).hash)).size).toBe(SEEDS.length);
});

test("the faults that fired, listed explicitly, give the same run without the swarm [SIM2]", () => {
  for (const seed of SEEDS) {
    const drawn = swarm(seed);
    const { world } = drawSwarm(seed);
    const listed = run({ world, seed, faults: { explicit: drawn.fired, rates: {} } });
    expect(listed).toMatchObject({ hash: drawn.hash, events: drawn.events });
    expect(listed.fired).toEqual(drawn.fired);
  }
});

test("the order of lists and of changes within a commit changes nothing [SIM3]", () => {
  for (const seed of SEEDS) expect(swarm(seed, { shakeOrder: true }).hash).toBe(swarm(seed).hash);
});

test("being watched changes nothing [SIM1]", () => {
  const traced = swarm(4, { trace: true });
  expect(traced.hash).toBe(swarm(4).hash);
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
