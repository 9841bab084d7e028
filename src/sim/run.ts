/** Runs one world under one seed and says what came of it. Same options, same code: same result. */
import { createCheckers } from "./check/all-checkers.ts";
import { Engine } from "./engine.ts";
import type { RunOptions, RunResult } from "./run-result.ts";

export function run(options: RunOptions): RunResult {
  return new Engine(options, createCheckers(options.world)).run();
}
