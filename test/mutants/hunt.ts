/**
 * Hunts one mutant: runs seeds until a checker raises its hand, then shrinks what it found. Bundled once
 * per mutant and run as a process of its own, because a mutant may loop or crash.
 */
import { runInSwarm } from "../../src/sim/world/swarm-run.ts";
import { drawRegionalWorld } from "../../src/sim/swarm/swarm-regional.ts";
import { swarmRates } from "../../src/sim/swarm/swarm.ts";
import type { RunResult } from "../../src/sim/report/run-result.ts";
import type { World } from "../../src/sim/world/world.ts";
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

export function hunt(seeds: number, isRegional: boolean): Catch {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { world, result } = isRegional ? runRegional(seed) : runInSwarm(seed);
    const { violation } = result;
    if (violation === undefined) continue;
    const { rule, message } = violation;
    // What happens in such a world is part of it; there is no list of faults to shrink.
    if (isRegional) return { killed: true, seeds: seed, rule, message, shrunkFaults: 0 };
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

function runRegional(seed: number): { readonly world: World; readonly result: RunResult } {
  const world = drawRegionalWorld(seed);
  const faults = { explicit: [], rates: swarmRates(seed) };
  return { world, result: run({ world, seed, faults }) };
}

const [limit, worlds] = process.argv.slice(2);
if (limit !== undefined) {
  process.stdout.write(JSON.stringify(hunt(Number(limit), worlds === "regional")));
}
