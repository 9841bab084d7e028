/**
 * Draws gangs: some small enough to run, some too large for the nodes there are, with deadlines
 * short enough to pass more than once in a run.
 */
import type { Gang } from "../../core/model/gang.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";

export function drawGang(random: KeyedRandom, at: number): Gang | undefined {
  if (!random.chance("workload is gang", at, 20)) return undefined;
  return { deadlineMs: random.between("gang deadline", at, 5, 60) * 1_000 };
}
