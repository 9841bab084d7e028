/** Runs one world under one seed and says what came of it. Same options, same code: same result. */
import { createCheckers } from "./check/all-checkers.ts";
import { Engine } from "./engine.ts";
import { RecoveryTally } from "./report/recovery-tally.ts";
import { RegionalRun } from "./regional/regional-run.ts";
import { hasRegionalPlanes } from "./regional/split-world.ts";
import type { RunOptions, RunResult } from "./report/run-result.ts";

export function run(options: RunOptions): RunResult {
  if (hasRegionalPlanes(options.world)) return new RegionalRun(options).run();
  const tally = new RecoveryTally();
  const checkers = createCheckers(options.world, (...ahead) => tally.wentAhead(...ahead));
  return new Engine(options, checkers, tally).run();
}
