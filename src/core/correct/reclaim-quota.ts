/**
 * Gets quota back from those who use more than their own: for a tenant whose replicas wait though
 * its limit covers them, from others of its group; and after a quota was made smaller and is to be
 * drained, from the tenant itself. Observes quotas, replicas, reservations and priority classes;
 * proposes evictions, a few at a time. Who is evicted is given its next incarnation by `admit` as
 * soon as there is quota for it.
 */
import { countText } from "../model/text/count-text.ts";
import type { Intent } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { AMOUNT_NAMES, type Amounts } from "../model/amounts.ts";
import type { Evidence } from "../model/evidence.ts";
import { type Kind, type ObjectKey, quotaKey } from "../model/ids.ts";
import type { Quota, Replica } from "../model/objects.ts";
import type { GroupUsage } from "../observe/accounts/quota-usage.ts";
import { isEntitled } from "../observe/accounts/quota-room.ts";
import { missingOf, overOf, spareOf } from "../observe/accounts/reclaim-need.ts";
import { pickVictims, reclaimOrder } from "../rules/quota/reclaim-order.ts";
import { groupFact, quotaFact } from "../observe/facts.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import type { View } from "../observe/view.ts";
import { evictOperation } from "../protocol/operations.ts";

/**
 * A group that has lent a thousand replicas' worth takes it back in steps: what ends by itself
 * meanwhile need not be asked for.
 */
const EVICTIONS_PER_LOOK = 16;

/** Progress of others is shown by the watch; this is only for the case that it is not. */
const PATIENCE_MS = 15_000;

export const createReclaimQuota = (): Controller => ({
  role: "reclaim-quota",
  interest: {
    kinds: new Set(["Quota", "Replica", "Reservation", "PriorityClass", "Workload"]),
    node: undefined,
  },
  keysFor,
  allKeys: (view) => [...view.objects.all("Quota").keys()],
  reconcile: reclaimQuota,
});

/**
 * Borrowers that may be reclaimed from, and tenants that wait: hardly ever anybody, so every change
 * may ask. A replica has one tenant, so no eviction is proposed under two keys.
 */
function keysFor({ before, after }: Change, { objects }: View): readonly ObjectKey[] {
  const object = after ?? before;
  if (object === undefined || OF_NO_TENANT.has(object.kind)) return [];
  const tenant = object.meta.namespace;
  const group = objects.quotaUsage.groupOf(tenant);
  const isOwn = object.kind === "Quota" || isDraining(objects.quotaUsage.of(tenant).spec);
  if (group === undefined && !isOwn) return NOBODY;
  const keys = new Set(concernedIn(group, objects));
  if (isOwn) keys.add(tenant);
  return [...keys].map(quotaKey);
}

const OF_NO_TENANT: ReadonlySet<Kind> = new Set<Kind>(["PriorityClass", "Override"]);

const NOBODY: readonly ObjectKey[] = [];

function concernedIn(group: GroupUsage | undefined, objects: ObjectIndex): readonly string[] {
  const members = [...(group?.members ?? [])];
  const { quotaUsage } = objects;
  const isAwaited = members.some((member) => quotaUsage.of(member).admitted.size > 0);
  return members.filter((member) => {
    const { spec, admitted } = quotaUsage.of(member);
    if (isDraining(spec) || admitted.size > 0) return true;
    return isAwaited && isSome(spareOf(objects, member));
  });
}

const isDraining = (spec: Quota["spec"] | undefined): boolean => spec?.shrink === "drain";

export function reclaimQuota(key: ObjectKey, view: View, look: Look): Decision {
  const quota = view.objects.get(key);
  if (quota?.kind !== "Quota") return settled;
  const drained = isDraining(quota.spec) ? drain(quota, view) : settled;
  return drained.kind === "settled" ? giveBack(quota.meta.namespace, view, look) : drained;
}

/** What the tenant's own quota no longer covers. */
function drain({ key, meta }: Quota, { objects }: View): Decision {
  const tenant = meta.namespace;
  const over = overOf(objects, tenant);
  if (!isSome(over)) return settled;
  const order = reclaimOrder(objects, new Set([tenant]));
  const victims = pickVictims(order, over, new Map([[tenant, over]]));
  if (victims.length === 0) return settled;
  return propose(evictions(victims, { kind: "quota-shrunk", quota: key }), {
    summary: `the quota of tenant ${tenant} was reduced: it loses ${countText(victims.length, "replica")}`,
  });
}

/** What this tenant uses of its group that others are entitled to and wait for. */
function giveBack(tenant: string, view: View, look: Look): Decision {
  const { objects } = view;
  const group = objects.quotaUsage.groupOf(tenant);
  if (group === undefined) return settled;
  const missing = missingOf(objects, group);
  if (!isSome(missing)) return settled;
  const waiting = entitledOf(group, view);
  const spares = sparesOf(group, waiting, view);
  const isWaiting = waiting.some(({ meta }) => meta.namespace === tenant);
  if (!isWaiting && !spares.has(tenant)) return settled;
  // Every tenant of the group arrives at the same victims, and asks for its own.
  const victims = pickVictims(reclaimOrder(objects, new Set(spares.keys())), missing, spares);
  if (victims.length === 0) return isWaiting ? waitForGroup(tenant, group, look) : settled;
  const own = victims.filter(({ meta }) => meta.namespace === tenant);
  const first = waiting.find(({ meta }) => meta.namespace !== tenant);
  if (own.length === 0 || first === undefined) return settled;
  return propose(evictions(own, { kind: "quota-reclaim", waiting: first.key }), {
    summary: `${countText(own.length, "replica")} of tenant ${tenant}, which borrows quota, ${own.length === 1 ? "is" : "are"} evicted for ${first.meta.namespace}/${first.meta.name}`,
  });
}

const waitForGroup = (tenant: string, { name, members }: GroupUsage, look: Look): Decision =>
  wait({
    reason: "quota-lent",
    wakes: [groupFact(name), ...[...members].toSorted().map(quotaFact)],
    deadlineMs: look.now + PATIENCE_MS,
    because: {
      summary: `group ${name} owes quota to tenant ${tenant}, and no borrower can be evicted now`,
    },
  });

/** The first of each tenant that waits for what its own limit covers, by tenant. */
function entitledOf({ members }: GroupUsage, { objects }: View): readonly Replica[] {
  return [...members].toSorted().flatMap((tenant) => {
    let first: Replica | undefined;
    for (const replica of objects.quotaUsage.of(tenant).admitted.values()) {
      if (first !== undefined && first.key < replica.key) continue;
      if (isEntitled(objects, replica)) first = replica;
    }
    return first ?? [];
  });
}

/** The reclaimable amount of each tenant, beyond its own need. */
function sparesOf(
  group: GroupUsage,
  waiting: readonly Replica[],
  { objects }: View,
): Map<string, Amounts> {
  const spares = new Map<string, Amounts>();
  for (const member of group.members) {
    if (waiting.every(({ meta }) => meta.namespace === member)) continue;
    const spare = spareOf(objects, member);
    if (isSome(spare)) spares.set(member, spare);
  }
  return spares;
}

const isSome = (amounts: Amounts): boolean => AMOUNT_NAMES.some((name) => amounts[name] > 0);

const evictions = (victims: readonly Replica[], evidence: Evidence): readonly Intent[] =>
  victims.slice(0, EVICTIONS_PER_LOOK).map((victim) => ({
    kind: "evict",
    operation: evictOperation(victim, "quota"),
    replica: victim.key,
    incarnation: victim.status.incarnation,
    evidence,
  }));
