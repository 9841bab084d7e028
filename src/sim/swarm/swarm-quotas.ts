/**
 * Draws how tenants share quota: groups that lend, limits in regions and for classes, and limits
 * that people change during use. Tight enough that lent quota is reclaimed before a run ends.
 */
import type { Amounts } from "../../core/model/amounts.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";
import type { QuotaSharing, TimelineEntry, WorldWorkload } from "../world/world.ts";

export interface SharingScene {
  readonly limit: Amounts;
  readonly regions: readonly { readonly name: string }[];
}

const drawsGroup = (random: KeyedRandom, at: number): boolean =>
  random.chance("world has group", 0, 65) && random.chance("in group", at, 80);

/**
 * The quota of a tenant, in per cent of all capacity: from ample to so tight that replicas must
 * wait for each other. Tenants that share have less: quota is lent and reclaimed only if nearly all
 * of it is wanted.
 */
export function drawPercent(random: KeyedRandom, at: number, isCrowded: boolean): number {
  // If tenants compete for machines, quota must not be the obstacle.
  if (isCrowded) return random.between("quota", at, 90, 120);
  return drawsGroup(random, at)
    ? random.between("shared quota", at, 3, 35)
    : random.between("quota", at, 10, 120);
}

/**
 * In a world that shares, some tenants want little at first and much later, after others have
 * borrowed.
 */
export function drawLateWants(
  random: KeyedRandom,
  workloads: readonly WorldWorkload[],
): readonly TimelineEntry[] {
  if (!random.chance("world has group", 0, 65)) return [];
  return Array.from({ length: random.between("late wants", 0, 0, 3) }, (_, at): TimelineEntry[] => {
    const of = workloads[random.draw("late want", at) % workloads.length];
    if (of === undefined) return [];
    const atMs = random.between("late want time", at, 10_000, 50_000);
    const replicas = random.between("late want replicas", at, 6, 14);
    return [{ atMs, action: { do: "scale", tenant: of.tenant, workload: of.name, replicas } }];
  }).flat();
}

/** Nothing at all when the quota is a plain limit. */
export function drawSharing(
  random: KeyedRandom,
  at: number,
  of: SharingScene,
): { readonly sharing?: QuotaSharing } {
  const isMember = drawsGroup(random, at);
  const region = of.regions[random.draw("quota region", at) % of.regions.length]?.name ?? "r1";
  const sharing: QuotaSharing = {
    ...(isMember ? { group: "shared", ...drawBorrow(random, at, of.limit) } : {}),
    ...(random.chance("quota by region", at, 25)
      ? { regions: { [region]: part(of.limit, random.between("region share", at, 0, 80)) } }
      : {}),
    ...(random.chance("quota by class", at, 25)
      ? { classes: { low: part(of.limit, random.between("class share", at, 0, 60)) } }
      : {}),
    ...(random.chance("quota weighs", at, 30)
      ? { weight: random.between("quota weight", at, 2, 4) }
      : {}),
    ...(random.chance("quota drains", at, 40) ? { shrink: "drain" as const } : {}),
  };
  return Object.keys(sharing).length === 0 ? {} : { sharing };
}

const drawBorrow = (random: KeyedRandom, at: number, limit: Amounts): QuotaSharing =>
  random.chance("bounded borrowing", at, 50)
    ? { borrow: part(limit, random.between("borrow share", at, 0, 100)) }
    : {};

/** This percentage of it; devices in whole ones, so that no fraction of one is left over. */
export function part(of: Amounts, percent: number): Amounts {
  const share = (whole: number): number => Math.floor((whole * percent) / 100);
  return {
    cpuMillis: share(of.cpuMillis),
    memoryMiB: share(of.memoryMiB),
    deviceMillis: share(of.deviceMillis) - (share(of.deviceMillis) % 1000),
  };
}
