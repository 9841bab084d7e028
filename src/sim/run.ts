/** Runs one world under one seed and says what came of it. Same options, same code: same result. */
import { createCheckers } from "./check/all-checkers.ts";
import { Engine } from "./engine.ts";
import { RecoveryTally } from "./report/recovery-tally.ts";
import { RegionalRun } from "./regional/regional-run.ts";
import type { RunOptions, RunResult } from "./report/run-result.ts";

export function run(options: RunOptions): RunResult {
  const { regional } = options.world;
  if (regional !== undefined) return new RegionalRun(options, regional).run();
  const tally = new RecoveryTally();
  const checkers = createCheckers(options.world, (...ahead) => tally.wentAhead(...ahead));
  return new Engine(options, checkers, tally).run();
}
