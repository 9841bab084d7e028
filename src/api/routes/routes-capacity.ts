/**
 * What there is to run on, by region and by what it is good for, and what groups of tenants share.
 */
import type { FastifyInstance } from "fastify";
import { type CapacityRow, capacityClasses } from "../../core/rules/capacity-classes.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { writeAmounts } from "../kinds/text/amounts-text.ts";
import type { ApiContext } from "../http/api-context.ts";
import { asks, PATH } from "../access/route-rule.ts";

export function addCapacityRoutes(app: FastifyInstance, { plane }: ApiContext): void {
  app.get("/capacity", asks(PATH), () => {
    const { total, regions } = capacityClasses(plane.objects);
    return {
      revision: plane.revision,
      total: writeRow(total),
      regions: [...regions].map(([name, row]) => ({ name, ...writeRow(row) })),
      groups: writeGroups(plane.objects),
    };
  });
}

const writeRow = ({ hard, reclaimable, soft, outOfReach }: CapacityRow) => ({
  hard: {
    capacity: writeAmounts(hard.capacity),
    overcommitted: writeAmounts(hard.overcommitted),
    committed: writeAmounts(hard.committed),
    reserved: writeAmounts(hard.reserved),
    recovery: writeAmounts(hard.recovery),
    free: writeAmounts(hard.free),
  },
  reclaimable: writeAmounts(reclaimable),
  soft: writeAmounts(soft),
  outOfReach: writeAmounts(outOfReach),
});

function writeGroups({ quotaUsage }: ObjectIndex) {
  return [...quotaUsage.allGroups()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, members, account }) => ({
      name,
      tenants: [...members].toSorted(),
      limit: writeAmounts(account.limit),
      used: writeAmounts(account.committed),
      reserved: writeAmounts(account.reserved),
      free: writeAmounts(account.free),
      overdrawn: writeAmounts(account.overdrawn),
    }));
}
