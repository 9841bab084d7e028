/**
 * Draws people who delete replicas, which restarts them, and now and then the quota of a tenant,
 * which goes after the last of its workloads. Added to a share of the worlds, so that the others
 * run as before.
 */
import type { KeyedRandom } from "../faults/keyed-random.ts";
import type { TimelineEntry, WorldWorkload } from "../world/world.ts";

export function drawRestarts(
  random: KeyedRandom,
  workloads: readonly WorldWorkload[],
): readonly TimelineEntry[] {
  if (!random.chance("world has restarts", 0, 20)) return [];
  return Array.from({ length: random.between("restarts", 0, 1, 4) }, (_, at): TimelineEntry[] => {
    const of = workloads[random.draw("restarted workload", at) % workloads.length];
    if (of === undefined) return [];
    const atMs = random.between("restart time", at, 5_000, 70_000);
    const { tenant } = of;
    if (random.chance("quota goes", at, 5))
      return [{ atMs, action: { do: "delete-quota", tenant } }];
    const index = random.draw("restarted index", at) % Math.max(1, of.spec.replicas);
    const named = { tenant, workload: of.name, generation: 1, index };
    return [{ atMs, action: { do: "delete-replica", ...named } }];
  }).flat();
}
