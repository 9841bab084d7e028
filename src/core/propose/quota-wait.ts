/**
 * Why a replica waits for quota, in words, and what ends the wait: which bound is in the way
 * decides both.
 */
import type { Fact, WaitReason } from "../protocol/decision.ts";
import { type AmountName, times } from "../model/amounts.ts";
import type { Replica } from "../model/objects.ts";
import type { RegionalPlane } from "../model/regional/plane.ts";
import { isEntitled, type QuotaShort } from "../observe/accounts/quota-room.ts";
import { firstQuotaCommand } from "../model/text/first-quota.ts";
import { workloadOf } from "../model/workload-of.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import { claimFact, groupFact, quotaFact } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";

export interface QuotaWait {
  readonly reason: Extract<WaitReason, "quota-exhausted" | "quota-lent">;
  readonly wakes: readonly Fact[];
  readonly summary: string;
}

/** `members` of a gang take their quota together (GA2). */
export function quotaWait(
  replica: Replica,
  short: QuotaShort,
  { objects }: View,
  members = 1,
): QuotaWait {
  const { namespace: tenant } = replica.meta;
  const group = objects.quotaUsage.groupOf(tenant);
  const reason =
    short.bound === "group" && isEntitled(objects, replica) ? "quota-lent" : "quota-exhausted";
  const summary = summaryOf(replica, short, { objects, reason, members, group: group?.name });
  if (group === undefined) return { reason, wakes: [quotaFact(tenant)], summary };
  // Room comes when anybody of the group gives some back, or no longer waits for what is theirs.
  const tenants = [...group.members].toSorted();
  const others = tenants.filter((member) => member !== tenant);
  return {
    reason,
    wakes: [groupFact(group.name), ...tenants.map(quotaFact), ...others.map(claimFact)],
    summary,
  };
}

interface Waiting {
  readonly objects: ObjectIndex;
  readonly reason: QuotaWait["reason"];
  readonly members: number;
  readonly group: string | undefined;
}

function summaryOf(replica: Replica, short: QuotaShort, waiting: Waiting): string {
  const { namespace: tenant } = replica.meta;
  const { ask, priorityClass } = replica.spec.template;
  const { objects, members } = waiting;
  const quota = objects.quotaUsage.of(tenant).spec;
  if (quota === undefined) return noQuotaText(replica, waiting);
  const regional = objects.plane?.status.role === "regional" ? objects.plane.status : undefined;
  const asked = ask.amounts[short.name] * members;
  const whose = members === 1 ? "" : ` by ${members} members at once`;
  const needed = `${amountText(short.name, asked)} needed${whose}`;
  const limit = short.bound === "class" ? quota.classes?.[priorityClass] : quota.limit;
  // Whatever others of the tenant give back, it is not enough.
  const isNever = waiting.group === undefined && limit !== undefined && asked > limit[short.name];
  // How much a region holds of it, only the global plane can change.
  if (regional !== undefined && short.bound === "tenant") {
    const left = `${amountText(short.name, short.room)} left, ${needed}`;
    return lentText(regional, tenant, left);
  }
  const what = whatIsShort(replica, short, { ...waiting, isNever });
  return isNever
    ? `${what}: ${amountText(short.name, limit[short.name])} in all, ${needed}; raise it`
    : `${what}: ${amountText(short.name, short.room)} left, ${needed}`;
}

function lentText({ region, ended }: RegionalPlane, tenant: string, left: string): string {
  return ended === true
    ? `the global plane has not answered ${region} for longer than its term, so the region replaces what it loses and takes no new work of tenant ${tenant} before the next answer: ${left}`
    : `what the global plane lent ${region} of the quota of tenant ${tenant} is used up: ${left}; it lends more if the tenant has some left`;
}

/** With a quota of what the whole workload needs. */
function noQuotaText(replica: Replica, { objects, members }: Waiting): string {
  const { namespace: tenant } = replica.meta;
  const plane = objects.plane?.status;
  if (plane?.role === "regional") {
    return `the global plane has lent ${plane.region} nothing of the quota of tenant ${tenant} yet, so its replicas are not queued`;
  }
  const { replicas = members } = objects.workload(workloadOf(replica))?.spec ?? {};
  const limit = times(replica.spec.template.ask.amounts, Math.max(1, replicas));
  return `tenant ${tenant} has no quota, so its replicas are not queued; create one: ${firstQuotaCommand(tenant, limit)}`;
}

function whatIsShort(
  { meta, spec }: Replica,
  { bound, room }: QuotaShort,
  { group, reason, isNever }: Waiting & { readonly isNever: boolean },
): string {
  const { namespace: tenant } = meta;
  const state = isNever ? "is too small" : room > 0 ? "is not enough" : "is used up";
  if (bound === "class") {
    return `the quota of tenant ${tenant} for class ${spec.template.priorityClass} ${state}`;
  }
  if (bound === "tenant") return `the quota of tenant ${tenant} ${state}`;
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
