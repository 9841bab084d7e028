/**
 * Runs the seeds of a plan, on this thread or on several. A run is one synchronous computation, so
 * threads share nothing: each takes every n-th seed and sends back what it found.
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { Fault } from "../../sim/faults/fault.ts";
import { compareWorlds } from "../../sim/interference/compare-worlds.ts";
import { run } from "../../sim/run.ts";
import type { RunOptions, RunResult } from "../../sim/report/run-result.ts";
import { runOptionsFor, type SimulationPlan } from "./simulation-plan.ts";

/** A run without its trace: what is worth keeping of thousands. */
export interface SeedOutcome {
  readonly seed: number;
  readonly events: number;
  readonly hash: string;
  readonly violation: RunResult["violation"];
  readonly fired: readonly Fault[];
  readonly recoveries: RunResult["recoveries"];
}

export interface SeedsToRun {
  readonly plan: SimulationPlan;
  readonly workers: number;
  readonly onOutcome: (outcome: SeedOutcome) => void;
}

/**
 * `onOutcome` is called in the order in which runs end, which with several threads is not that of
 * seeds.
 */
export async function runSeeds({ plan, workers, onOutcome }: SeedsToRun): Promise<void> {
  const count = plan.seeds.last - plan.seeds.first + 1;
  const threads = Math.min(workers, count);
  if (threads <= 1) return runShare({ plan, first: 0, step: 1 }, onOutcome);
  const shares = Array.from({ length: threads }, (_, first) => ({ plan, first, step: threads }));
  await Promise.all(shares.map((share) => runOnWorker(share, onOutcome)));
}

interface Share {
  readonly plan: SimulationPlan;
  readonly first: number;
  readonly step: number;
}

function runShare({ plan, first, step }: Share, onOutcome: (outcome: SeedOutcome) => void): void {
  for (let seed = plan.seeds.first + first; seed <= plan.seeds.last; seed += step) {
    onOutcome(plan.isCompared === true ? comparedSeed(seed) : seedRun(plan, seed));
  }
}

function seedRun(plan: SimulationPlan, seed: number): SeedOutcome {
  const result = runNamingSeed(runOptionsFor(plan, seed));
  const { events, hash, violation, recoveries } = result;
  return { seed, events, hash, violation, fired: violation ? result.fired : [], recoveries };
}

function comparedSeed(seed: number): SeedOutcome {
  const { events, hash, violation } = namingSeed(seed, "two worlds", () => compareWorlds(seed));
  return { seed, events, hash, violation, fired: [], recoveries: undefined };
}

/**
 * An error thrown by the simulator itself is a bug in it; without the seed it could not be
 * reproduced.
 */
export const runNamingSeed = (options: RunOptions): RunResult =>
  namingSeed(options.seed, `the world ${options.world.name}`, () => run(options));

function namingSeed<T>(seed: number, where: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Error(`The simulator stopped at seed ${seed} in ${where}.`, { cause: error });
  }
}

/** Marks a thread as ours: tests run on threads too. */
const SHARE_OF_SEEDS = "berth-share-of-seeds";

/** A thread whose results are missing must never look like one that found no violation. */
function runOnWorker(share: Share, onOutcome: (outcome: SeedOutcome) => void): Promise<void> {
  const { plan, first, step } = share;
  const count = Math.ceil((plan.seeds.last - plan.seeds.first - first + 1) / step);
  let ended = 0;
  return new Promise((resolve, reject) => {
    // The worker runs the file of the bundle that this module is in, down to the end of the module.
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { [SHARE_OF_SEEDS]: share },
    });
    worker.on("message", (outcome: SeedOutcome) => {
      ended += 1;
      onOutcome(outcome);
    });
    worker.on("error", reject);
    worker.on("exit", (code) => {
      if (code === 0 && ended === count) resolve();
      else reject(new Error(`A worker exited with code ${code} after ${ended} of ${count} seeds.`));
    });
  });
}

function shareOfThisThread(): Share | undefined {
  if (isMainThread || typeof workerData !== "object" || workerData === null) return undefined;
  return (workerData as { readonly [SHARE_OF_SEEDS]?: Share })[SHARE_OF_SEEDS];
}

const share = shareOfThisThread();
if (share) runShare(share, (outcome) => parentPort?.postMessage(outcome, []));
