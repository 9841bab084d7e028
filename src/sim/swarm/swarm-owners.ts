/**
 * Draws people who give workloads owners, delete these, and now and then give what belonged to them
 * another owner or none at about the same time. Added to a share of the worlds, so that the others
 * run as before.
 */
import type { KeyedRandom } from "../faults/keyed-random.ts";
import type { TimelineEntry, WorldWorkload } from "../world/world.ts";

/** Before, at or after the deletion is seen: either change may come first. */
const ABOUT_MS = 400;

export function drawOwners(
  random: KeyedRandom,
  workloads: readonly WorldWorkload[],
  untilMs: number,
): readonly TimelineEntry[] {
  if (!random.chance("world has owners", 0, 12)) return [];
  return workloads.flatMap(({ tenant, name }, at): readonly TimelineEntry[] => {
    const others = workloads.filter((other) => other.tenant === tenant && other.name !== name);
    const owner = others[random.draw("owner", at) % Math.max(1, others.length)];
    if (owner === undefined || !random.chance("owned", at, 60)) return [];
    const second = others[random.draw("second owner", at) % others.length];
    const set = (atMs: number, owners: readonly string[]): TimelineEntry => ({
      atMs,
      action: { do: "set-owners", tenant, workload: name, owners: [...new Set(owners)] },
    });
    const several = random.chance("several owners", at, 30) ? [second?.name ?? owner.name] : [];
    const begins = random.between("owned from", at, 2_000, 20_000);
    const owned = set(begins, [owner.name, ...several]);
    if (!random.chance("owner goes", at, 70)) return [owned];
    const goesMs = random.between("owner goes at", at, begins + 1_000, untilMs);
    const goes: TimelineEntry = {
      atMs: goesMs,
      action: { do: "delete-workload", tenant, workload: owner.name },
    };
    if (!random.chance("owner is replaced", at, 50)) return [owned, goes];
    const next = random.chance("without an owner", at, 50) ? [] : [second?.name ?? owner.name];
    const replacedMs = goesMs + random.between("owner is replaced at", at, -ABOUT_MS, ABOUT_MS);
    return [owned, goes, set(replacedMs, next)];
  });
}
