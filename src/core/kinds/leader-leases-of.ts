/** The leases of a tenant: they go with it, and it may have so many. */
import type { LeaderLease } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";

export const leaderLeasesOf = (objects: ObjectIndex, tenant: string): readonly LeaderLease[] =>
  [...objects.all("LeaderLease").values()].filter(({ meta }) => meta.namespace === tenant);
