/**
 * What a run may cost, in work that is counted, so that the simulator does not become slower
 * unnoticed. A change that needs more work for a good reason writes the new numbers down, and its
 * message says what it buys. `npm run bench:simulate` measures the time.
 */
import { expect, test } from "vitest";
import { createCheckers } from "./check/all-checkers.ts";
import { Engine, type RunWork } from "./engine.ts";
import { drawSwarm } from "./swarm/swarm.ts";
import type { FaultSource } from "./report/run-result.ts";
import type { World } from "./world/world.ts";

type Rates = FaultSource["rates"];

/** What a run needed when it was written down, and a tenth more. */
const SLACK_PERCENT = 10;

function workOf(world: World, seed: number, rates: Rates): RunWork {
  const engine = new Engine(
    { world, seed, faults: { explicit: [], rates } },
    createCheckers(world),
  );
  expect(engine.run().violation).toBeUndefined();
  return engine.work;
}

function expectWithin(work: RunWork, recorded: RunWork): void {
  const over = Object.entries(recorded).filter(
    ([name, most]) => work[name as keyof RunWork] * 100 > most * (100 + SLACK_PERCENT),
  );
  expect(over, `The run took ${JSON.stringify(work)}.`).toEqual([]);
}

test.each([
  [
    "one view for all controllers",
    20,
    { turns: 3243, deliveries: 548, commits: 325, checks: 17769 },
  ],
  [
    "a view for each controller",
    30,
    { turns: 6918, deliveries: 3434, commits: 364, checks: 26120 },
  ],
  ["two planes on one log", 12, { turns: 1161, deliveries: 166, commits: 109, checks: 7475 }],
])("a world of the swarm with %s takes no more work than was recorded", (_, seed, recorded) => {
  const { world, rates } = drawSwarm(seed);
  const work = workOf(world, seed, rates);
  expectWithin(work, recorded);
  expect(work.turns).toBeGreaterThan(work.deliveries);
  // A commit that is no renewal is shown to some fifty checkers.
  expect(work.checks).toBeGreaterThan(work.commits);
});
