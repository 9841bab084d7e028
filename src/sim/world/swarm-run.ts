/** One seed of the swarm, from drawing its world to its verdict. */
import type { RunResult } from "../report/run-result.ts";
import { run } from "../run.ts";
import { drawSwarm } from "../swarm/swarm.ts";
import type { World } from "./world.ts";

export function runInSwarm(seed: number): { readonly world: World; readonly result: RunResult } {
  const { world, rates } = drawSwarm(seed);
  return { world, result: run({ world, seed, faults: { explicit: [], rates } }) };
}
