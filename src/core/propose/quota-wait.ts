/**
 * Why a replica waits for quota, in words, and what ends the wait: which bound is in the way
 * decides both.
 */
import type { Fact, WaitReason } from "../protocol/decision.ts";
import type { AmountName } from "../model/amounts.ts";
import type { Replica } from "../model/objects.ts";
import { isEntitled, type QuotaShort } from "../observe/accounts/quota-room.ts";
import { claimFact, groupFact, quotaFact } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";

export interface QuotaWait {
  readonly reason: Extract<WaitReason, "quota-exhausted" | "quota-lent">;
  readonly wakes: readonly Fact[];
  readonly summary: string;
}

export function quotaWait(replica: Replica, short: QuotaShort, { objects }: View): QuotaWait {
  const { namespace: tenant } = replica.meta;
  const group = objects.quotaUsage.groupOf(tenant);
  const reason =
    short.bound === "group" && isEntitled(objects, replica) ? "quota-lent" : "quota-exhausted";
  const summary = `${whatIsShort(replica, short, group?.name, reason)}: ${amountText(short.name, short.room)} left, ${amountText(short.name, replica.spec.template.ask.amounts[short.name])} needed`;
  if (group === undefined) return { reason, wakes: [quotaFact(tenant)], summary };
  // Room comes when anybody of the group gives some back, or no longer waits for what is theirs.
  const members = [...group.members].toSorted();
  const others = members.filter((member) => member !== tenant);
  return {
    reason,
    wakes: [groupFact(group.name), ...members.map(quotaFact), ...others.map(claimFact)],
    summary,
  };
}

function whatIsShort(
  { meta, spec }: Replica,
  { bound }: QuotaShort,
  group: string | undefined,
  reason: QuotaWait["reason"],
): string {
  const { namespace: tenant } = meta;
  if (bound === "class") {
    return `the quota of tenant ${tenant} for class ${spec.template.priorityClass} is used up`;
  }
  if (bound === "tenant") return `the quota of tenant ${tenant} is used up`;
  return reason === "quota-lent"
    ? `tenants of group ${group} borrow quota that tenant ${tenant} is entitled to; it is being reclaimed`
    : `group ${group} has no quota to lend to tenant ${tenant}`;
}

const UNITS: Readonly<Record<AmountName, string>> = {
  cpuMillis: "m of CPU",
  memoryMiB: "Mi of memory",
  deviceMillis: "m of devices",
};

const amountText = (name: AmountName, amount: number): string => `${amount}${UNITS[name]}`;
