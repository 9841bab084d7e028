/**
 * Swarm testing: each seed draws which faults there are at all, how often they come, and what world
 * they come over. A run with every fault at a middling rate finds less than many runs that each
 * lack some.
 */
import type { FaultName } from "../faults/fault.ts";
import { KeyedRandom } from "../faults/keyed-random.ts";
import type { FaultSource } from "../report/run-result.ts";
import { drawRegionalWorld, isDrawnRegional } from "./swarm-regional.ts";
import { drawWorld } from "./swarm-world.ts";
import type { World } from "../world/world.ts";

type Rates = FaultSource["rates"];

/**
 * Highest rate of each fault: chances in 100,000 per message, append or start, and counts per run.
 */
export const HIGHEST: Readonly<Record<FaultName, number>> = {
  "lose-request": 8_000,
  "lose-reply": 8_000,
  "duplicate-request": 5_000,
  "delay-request": 8_000,
  "delay-reply": 8_000,
  "append-unknown": 1_500,
  "crash-after": 400,
  "slow-start": 20_000,
  "failing-probe": 20_000,
  "process-exit": 15_000,
  "watch-stall": 12,
  "watch-drop": 8,
  "watch-break": 12,
  "stale-list": 8,
  crash: 10,
  "restart-leader": 4,
  "second-leader": 3,
  partition: 10,
  clock: 8,
  "node-crash": 5,
  "node-pause": 5,
  "hardware-loss": 5,
  overload: 2,
  "blind-agent": 3,
  // From here to compact-log: only planes that share a log can meet them.
  "append-late": 1_500,
  "late-renewal": 10_000,
  "cut-store": 8,
  "pause-plane": 6,
  "restart-plane": 4,
  "stall-follower": 6,
  "compact-log": 4,
  "readiness-lapse": 15_000,
};

const NAMES = Object.keys(HIGHEST) as FaultName[];

/** Each kind of fault is in about half of the runs. */
const PRESENT_PERCENT = 55;

/** Rates for a world that is given. */
export function swarmRates(seed: number): Rates {
  const random = new KeyedRandom(seed, "swarm-rates");
  // Calm runs reach states that a storm never lets stand.
  const intensity = random.between("intensity", 0, 10, 100);
  const rates: Partial<Record<FaultName, number>> = {};
  NAMES.forEach((name, at) => {
    if (!random.chance("present", at, PRESENT_PERCENT)) return;
    const highest = Math.max(1, Math.floor((HIGHEST[name] * intensity) / 100));
    rates[name] = random.between("rate", at, 1, highest);
  });
  return rates;
}

export function drawSwarm(seed: number): { readonly world: World; readonly rates: Rates } {
  const world = isDrawnRegional(seed) ? drawRegionalWorld(seed) : drawWorld(seed);
  return { world, rates: swarmRates(seed) };
}
