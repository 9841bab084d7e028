/**
 * Whether a tenant may reserve more, and if not, what is in the way. Its own limit it may use
 * whenever its group has room at all; beyond it, only quota that no entitled tenant of the group
 * waits for (QT5). The proposer asks this of its view, the authority of the truth.
 */
import { AMOUNT_NAMES, type AmountName, type Amounts, shortage } from "../../model/amounts.ts";
import type { Replica } from "../../model/objects.ts";
import { isHeldFor } from "../held-for.ts";
import type { ObjectIndex } from "../object-index.ts";
import { type Balance, zeroBalance } from "./account.ts";
import type { TenantUsage } from "./quota-usage.ts";

export interface QuotaShort {
  /** Which bound is in the way: of the tenant, of its group, of one priority class. */
  readonly bound: "tenant" | "group" | "class";
  readonly name: AmountName;
  /** What may still be reserved of that amount. */
  readonly room: number;
}

export interface QuotaAsk {
  readonly tenant: string;
  readonly priorityClass: string;
  readonly amounts: Amounts;
}

/** The first bound that the ask would break, or undefined when it may be reserved. */
export function quotaShort(objects: ObjectIndex, ask: QuotaAsk): QuotaShort | undefined {
  const usage = objects.quotaUsage.of(ask.tenant);
  return classShort(usage, ask) ?? tenantShort(usage, ask) ?? groupShort(objects, usage, ask);
}

function classShort(
  usage: TenantUsage,
  { priorityClass, amounts }: QuotaAsk,
): QuotaShort | undefined {
  const limit = usage.spec?.classes?.[priorityClass];
  if (limit === undefined) return undefined;
  const used = usage.byClass.get(priorityClass);
  for (const name of AMOUNT_NAMES) {
    const room = Math.max(0, limit[name] - (used?.[name] ?? 0));
    if (amounts[name] > room) return { bound: "class", name, room };
  }
  return undefined;
}

function tenantShort({ account }: TenantUsage, { amounts }: QuotaAsk): QuotaShort | undefined {
  for (const name of AMOUNT_NAMES) {
    const room = account.free[name] + account.mayBorrow[name] - account.borrowed[name];
    if (amounts[name] > room) return { bound: "tenant", name, room };
  }
  return undefined;
}

function groupShort(
  objects: ObjectIndex,
  { account }: TenantUsage,
  { tenant, amounts }: QuotaAsk,
): QuotaShort | undefined {
  const group = objects.quotaUsage.groupOf(tenant);
  if (group === undefined) return undefined;
  let claimed: Amounts | undefined;
  for (const name of AMOUNT_NAMES) {
    let room = group.account.free[name];
    if (amounts[name] <= room && amounts[name] > account.free[name]) {
      // Only who borrows has to mind who waits, and it is the dear part of the question.
      claimed ??= claimsBut(objects, group.members, tenant);
      room = Math.max(0, room - claimed[name]);
    }
    if (amounts[name] > room) return { bound: "group", name, room };
  }
  return undefined;
}

/** What the tenants of a group wait for that their own limits cover. */
export const groupClaims = (objects: ObjectIndex, members: ReadonlySet<string>): Amounts =>
  claimsBut(objects, members, undefined);

function claimsBut(
  objects: ObjectIndex,
  members: ReadonlySet<string>,
  but: string | undefined,
): Amounts {
  const sum = zeroBalance();
  for (const tenant of members) {
    if (tenant === but) continue;
    const claim = claimOf(objects, tenant);
    for (const name of AMOUNT_NAMES) sum[name] += claim[name];
  }
  return sum;
}

/** What one tenant waits for that its own limit covers: never more than it has free. */
export function claimOf(objects: ObjectIndex, tenant: string): Amounts {
  const { account, admitted } = objects.quotaUsage.of(tenant);
  const claim: Balance = zeroBalance();
  for (const replica of admitted.values()) {
    if (!isEntitled(objects, replica)) continue;
    const { amounts } = replica.spec.template.ask;
    for (const name of AMOUNT_NAMES) {
      claim[name] = Math.min(account.free[name], claim[name] + amounts[name]);
    }
    // More of them cannot make it larger; there may be very many.
    if (AMOUNT_NAMES.every((name) => claim[name] === account.free[name])) break;
  }
  return claim;
}

/** Whether the replica waits for quota that its own tenant's limit covers. */
export function isEntitled(objects: ObjectIndex, replica: Replica): boolean {
  const { stage, stopping } = replica.status;
  if (stage !== "admitted" || stopping !== undefined) return false;
  const usage = objects.quotaUsage.of(replica.meta.namespace);
  const { ask, priorityClass } = replica.spec.template;
  if (shortage(ask.amounts, usage.account.free) !== undefined) return false;
  const quota = { tenant: replica.meta.namespace, priorityClass, amounts: ask.amounts };
  if (classShort(usage, quota) !== undefined) return false;
  for (const held of objects.reservationsOf(replica.key)) {
    if (isHeldFor(held, replica)) return false;
  }
  return true;
}

/** What a region still takes of a tenant; undefined when its quota does not bound it. */
export function regionRoom(
  objects: ObjectIndex,
  tenant: string,
  region: string,
): Amounts | undefined {
  const { spec, byRegion } = objects.quotaUsage.of(tenant);
  const limit = spec?.regions?.[region];
  if (limit === undefined) return undefined;
  const used = byRegion.get(region);
  const room = zeroBalance();
  for (const name of AMOUNT_NAMES) room[name] = Math.max(0, limit[name] - (used?.[name] ?? 0));
  return room;
}
