/** The seeds of a run, as `--seed N` or `--seeds FIRST..LAST` name them. */
import { UserError } from "./errors.ts";
import { readWholeNumber } from "./read-whole-number.ts";

export interface Seeds {
  readonly first: number;
  readonly last: number;
}

/** Enough to meet most mistakes of a change in a few seconds; a night's run asks for more. */
const DEFAULT_SEEDS: Seeds = { first: 1, last: 100 };

export interface SeedOptions {
  readonly seeds?: string;
  readonly seed?: string;
}

export function readSeeds({ seeds, seed }: SeedOptions): Seeds {
  if (seed !== undefined && seeds !== undefined) {
    throw new UserError("bad-usage", "--seed and --seeds cannot be used together.");
  }
  if (seed !== undefined) {
    const only = readWholeNumber("--seed", seed);
    return { first: only, last: only };
  }
  if (seeds === undefined) return DEFAULT_SEEDS;
  const match = /^(\d+)\.\.(\d+)$/.exec(seeds);
  const first = readWholeNumber("--seeds", match?.[1] ?? seeds, "a range such as 1..300");
  const last = readWholeNumber("--seeds", match?.[2] ?? seeds, "a range such as 1..300");
  if (!match || first > last) {
    throw new UserError("bad-usage", `--seeds: found "${seeds}", expected a range such as 1..300.`);
  }
  return { first, last };
}
