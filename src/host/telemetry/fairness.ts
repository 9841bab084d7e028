/**
 * How far apart tenants are in what they have, by their weights: from the one that has least of
 * those that wait to the one that has most of all. A tenant with all its requests is not treated
 * unfairly, so the spread is 0 while no tenant waits.
 */
import { type Amounts, equalAmounts, NOTHING } from "../../core/model/amounts.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { dominantShare } from "../../core/propose/queue/fair-order.ts";

export interface Shares {
  /** In millionths of all there is, by weight. */
  readonly largest: number;
  /** Of waiting tenants; undefined while there is none. */
  readonly smallestWaiting: number | undefined;
  readonly spread: number;
}

export function sharesOf(objects: ObjectIndex, total: Amounts): Shares {
  let largest = 0;
  let smallestWaiting: number | undefined;
  for (const tenant of objects.tenantsWithAccount()) {
    const { account, spec, admitted } = objects.quotaUsage.of(tenant);
    const share = dominantShare(account.committed, total, spec?.weight ?? 1);
    largest = Math.max(largest, share);
    // What is in the queue holds its quota as reserved; what waits for quota is only admitted.
    const waits = admitted.size > 0 || !equalAmounts(account.reserved, NOTHING);
    if (waits) smallestWaiting = Math.min(smallestWaiting ?? share, share);
  }
  const spread = smallestWaiting === undefined ? 0 : largest - smallestWaiting;
  return { largest, smallestWaiting, spread };
}
