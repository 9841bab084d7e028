/** What planes of regions and the global plane may ask of each other at once. */
import { type Limit, limitValues } from "./limit.ts";

export const REGION_LIMITS = {
  grantsPerExchange: {
    value: 10_000,
    unit: "count",
    of: "tenants in one report of a region, and in one answer to it",
    beyond: "422 `bad-object`",
    why: "ten times the tenants that a region is planned for; one commit of a few megabytes",
  },
  objectsPerExchange: {
    value: 500,
    unit: "count",
    of: "objects of the global plane in one answer to a region",
    beyond: "the rest comes with the next answers",
    why: "one commit in the region stays below a megabyte",
  },
  pendingVersions: {
    value: 8,
    unit: "count",
    of: "versions of a grant that its region has not reported",
    beyond: "409 `grant-pending`",
    why: "each makes what the region may hold larger or leaves it; none makes it smaller",
  },
} as const satisfies Readonly<Record<string, Limit>>;

export const REGION_MOST = limitValues(REGION_LIMITS);
