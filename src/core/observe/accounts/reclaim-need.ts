/**
 * How much quota has to be given back, and by whom: what a group lacks for those entitled to it,
 * what a tenant uses beyond its own limit, and what a smaller limit no longer covers. Replicas that
 * were asked to stop are counted as gone, so that no tenant is asked for the same a second time.
 */
import { AMOUNT_NAMES, type Amounts } from "../../model/amounts.ts";
import type { ObjectIndex } from "../object-index.ts";
import { beyondLimit, zeroBalance } from "./account.ts";
import type { GroupUsage } from "./quota-usage.ts";
import { groupClaims } from "./quota-room.ts";

/** The group's shortage until every tenant has its own limit. */
export function missingOf(objects: ObjectIndex, { account, members }: GroupUsage): Amounts {
  const claims = groupClaims(objects, members);
  const leaving = leavingOf(objects, members);
  const missing = zeroBalance();
  for (const name of AMOUNT_NAMES) {
    // A group that is overdrawn has to make that up before it has anything to give.
    const wanted = claims[name] === 0 ? 0 : claims[name] + account.overdrawn[name];
    missing[name] = Math.max(0, wanted - account.free[name] - leaving[name]);
  }
  return missing;
}

/** What a tenant uses beyond its own limit and has not begun to give back. */
export function spareOf(objects: ObjectIndex, tenant: string): Amounts {
  const { account, leaving } = objects.quotaUsage.of(tenant);
  const spare = zeroBalance();
  for (const name of AMOUNT_NAMES) {
    spare[name] = Math.max(0, beyondLimit(account, name) - leaving[name]);
  }
  return spare;
}

/**
 * What a tenant uses that nothing covers any more: beyond its limit and what it may borrow, and of
 * what it borrowed as much as the group itself is overdrawn.
 */
export function overOf(objects: ObjectIndex, tenant: string): Amounts {
  const { account, leaving } = objects.quotaUsage.of(tenant);
  const group = objects.quotaUsage.groupOf(tenant);
  const groupLeaving = group === undefined ? zeroBalance() : leavingOf(objects, group.members);
  const over = zeroBalance();
  for (const name of AMOUNT_NAMES) {
    const own = account.overdrawn[name] - leaving[name];
    const ofGroup = (group?.account.overdrawn[name] ?? 0) - groupLeaving[name];
    const lent = Math.min(beyondLimit(account, name) - leaving[name], ofGroup);
    over[name] = Math.max(0, own, lent);
  }
  return over;
}

function leavingOf(objects: ObjectIndex, members: ReadonlySet<string>): Amounts {
  const sum = zeroBalance();
  for (const tenant of members) {
    const { leaving } = objects.quotaUsage.of(tenant);
    for (const name of AMOUNT_NAMES) sum[name] += leaving[name];
  }
  return sum;
}
