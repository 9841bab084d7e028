/**
 * Draws jobs: few at once, some with indexes that fail for a while or for good, with deadlines and
 * times to live short enough to pass in a run.
 */
import type { BatchSpec } from "../../core/model/batch.ts";
import { FAILS } from "../world/failing-indexes.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";

export interface DrawnJob {
  readonly batch: BatchSpec;
  /** Left out: none of its indexes fails by itself. */
  readonly command?: readonly string[];
}

/** More incarnations than an index gets in a run. */
const FOR_GOOD = 1_000;

export function drawJob(
  random: KeyedRandom,
  at: number,
  { isGang }: { readonly isGang: boolean },
): DrawnJob | undefined {
  if (!random.chance("workload is job", at, 60)) return undefined;
  const completions = random.between("job completions", at, 1, 8);
  const has = (what: string, percent: number): boolean => random.chance(`job ${what}`, at, percent);
  const batch: BatchSpec = {
    completions,
    ...(isGang || has("says how many at once", 80)
      ? { parallelism: isGang ? completions : random.between("job parallelism", at, 1, 4) }
      : {}),
    ...(has("bounds failures", 40)
      ? { backoffLimit: random.between("job backoff limit", at, 0, 4) }
      : {}),
    ...(!isGang && has("bounds retries", 40)
      ? { perIndexRetries: random.between("job retries", at, 0, 2) }
      : {}),
    ...(has("has deadline", 30)
      ? { activeDeadlineMs: random.between("job deadline", at, 10, 90) * 1_000 }
      : {}),
    ...(has("has ttl", 40) ? { ttlMs: random.between("job ttl", at, 0, 60) * 1_000 } : {}),
  };
  if (!has("fails", 50)) return { batch };
  const every = random.between("job fails every", at, 1, 3);
  const incarnations = has("fails for good", 40)
    ? FOR_GOOD
    : random.between("job fails lives", at, 1, 2);
  return { batch, command: [FAILS, String(every), String(incarnations)] };
}
