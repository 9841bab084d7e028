/**
 * Keeps a tenant's replicas out of regions in which its quota is used up (QT7). A region is a place
 * like any other, so it stands beside the rules about neighbours; what it counts is kept by the
 * view's own quotaUsage, plus the binds that were asked for and are not in them yet.
 */
import { regionQuota } from "../../rules/obstacles/region-quota.ts";
import { plus, shortage } from "../../model/amounts.ts";
import type { Replica } from "../../model/objects.ts";
import { regionRoom } from "../../observe/accounts/quota-room.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import type { AssumedBinds } from "./assumed-binds.ts";
import type { NeighbourRule } from "../../rules/obstacles/neighbour-rules.ts";

const NO_COUNTS: NeighbourRule["counts"] = new Map();

/** Whether the tenant's quota bounds any region at all. */
export const hasRegionQuota = (objects: ObjectIndex, tenant: string): boolean =>
  objects.quotaUsage.of(tenant).spec?.regions !== undefined;

export function regionRules(
  { meta, spec }: Replica,
  objects: ObjectIndex,
  assumed: AssumedBinds,
): readonly NeighbourRule[] {
  const { namespace: tenant } = meta;
  if (!hasRegionQuota(objects, tenant)) return [];
  const { amounts } = spec.template.ask;
  const forbids = (region: string | undefined): boolean => {
    const room = region === undefined ? undefined : regionRoom(objects, tenant, region);
    if (region === undefined || room === undefined) return false;
    return shortage(plus(assumed.inRegion(tenant, region), amounts), room) !== undefined;
  };
  return [
    {
      name: regionQuota.name,
      by: "region",
      counts: NO_COUNTS,
      looksAt: "place",
      forbids,
      points: () => 0,
    },
  ];
}
