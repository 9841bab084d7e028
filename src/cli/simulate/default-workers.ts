/** On how many threads a range of seeds is run if the command does not say. */
import { availableParallelism } from "node:os";

/** Each thread compiles the simulator for itself, which takes as long as about so many seeds. */
const SEEDS_PER_THREAD = 25;

export const defaultWorkers = (seeds: number, processors = availableParallelism()): number =>
  Math.max(1, Math.min(processors, Math.floor(seeds / SEEDS_PER_THREAD)));
