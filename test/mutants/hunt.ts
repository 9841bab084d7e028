/**
 * Hunts one mutant: runs seeds until a checker raises its hand, then shrinks what it found. Bundled once
 * per mutant and run as a process of its own, because a mutant may loop or crash.
 */
import { runInSwarm } from "../../src/sim/world/swarm-run.ts";
import { run } from "../../src/sim/run.ts";
import { shrink } from "../../src/sim/shrink/shrink.ts";

export interface Catch {
  readonly killed: boolean;
  readonly seeds: number;
  readonly rule?: string;
  readonly message?: string;
  readonly shrunkFaults?: number;
  readonly shrinkRuns?: number;
}

export function hunt(seeds: number): Catch {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { world, result } = runInSwarm(seed);
    const { violation } = result;
    if (violation === undefined) continue;
    const { rule, message } = violation;
    const { smallest, runs } = shrink({
      start: { world, faults: result.fired },
      rule,
      probe: (tried) => {
        const again = run({
          world: tried.world,
          seed,
          faults: { explicit: tried.faults, rates: {} },
        });
        return again.violation && { rule: again.violation.rule, fired: again.fired };
      },
    });
    const shrunkFaults = smallest.faults.length;
    return { killed: true, seeds: seed, rule, message, shrunkFaults, shrinkRuns: runs };
  }
  return { killed: false, seeds };
}

const [limit] = process.argv.slice(2);
if (limit !== undefined) process.stdout.write(JSON.stringify(hunt(Number(limit))));
