/**
 * Gets quota back from those who use more than their own: for a tenant whose replicas wait though its limit
 * covers them, from others of its group; and after a quota was made smaller and is to be drained, from the
 * tenant itself. Observes quotas, replicas, reservations and priority classes; proposes evictions, a few at a
 * time. Who is evicted is given its next life by `admit` as soon as there is quota for it.
 */
import type { Intent } from "../commit/command.ts";
import type { Change } from "../commit/commit-record.ts";
import type { Controller } from "../controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../decision.ts";
import { AMOUNT_NAMES, type Amounts } from "../model/amounts.ts";
import type { Evidence } from "../model/evidence.ts";
import { type ObjectKey, quotaKey } from "../model/ids.ts";
import type { Quota, Replica } from "../model/objects.ts";
import type { GroupBook } from "../observe/accounts/quota-books.ts";
import { isEntitled } from "../observe/accounts/quota-room.ts";
import { missingOf, overOf, spareOf } from "../observe/accounts/reclaim-need.ts";
import { pickVictims, reclaimOrder } from "../observe/accounts/reclaim-order.ts";
import { groupFact, quotaFact } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";
import { evictOperation } from "../operations.ts";

/**
 * A group that has lent a thousand replicas' worth takes it back in steps: what ends by itself meanwhile need
 * not be asked for.
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

/** Everybody of the group who waits, and the tenant itself: hardly ever anybody, so every change may ask. */
function keysFor({ before, after }: Change, { objects: { books } }: View): readonly ObjectKey[] {
  const object = after ?? before;
  if (object === undefined || object.kind === "PriorityClass") return [];
  const tenant = object.meta.namespace;
  const isDrained = books.of(tenant).spec?.shrink === "drain";
  const keys = isDrained || object.kind === "Quota" ? [quotaKey(tenant)] : [];
  for (const member of books.groupOf(tenant)?.members ?? []) {
    const isConcerned = books.of(member).admitted.size > 0 || isDraining(books.of(member).spec);
    if (member !== tenant && isConcerned) keys.push(quotaKey(member));
    else if (isConcerned && keys.length === 0) keys.push(quotaKey(tenant));
  }
  return keys;
}

const isDraining = (spec: Quota["spec"] | undefined): boolean => spec?.shrink === "drain";

export function reclaimQuota(key: ObjectKey, view: View, look: Look): Decision {
  const quota = view.objects.get(key);
  if (quota?.kind !== "Quota") return settled;
  const drained = isDraining(quota.spec) ? drain(quota, view) : settled;
  return drained.kind === "settled" ? reclaim(quota.meta.namespace, view, look) : drained;
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
    summary: `${victims.length} replicas of ${tenant} have to go: its quota was made smaller`,
  });
}

/** What others use of the group that this tenant is entitled to and waits for. */
function reclaim(tenant: string, view: View, look: Look): Decision {
  const { objects } = view;
  const group = objects.books.groupOf(tenant);
  const waiting = group && firstEntitled(tenant, view);
  if (group === undefined || waiting === undefined) return settled;
  const missing = missingOf(objects, group);
  if (!isSome(missing)) return settled;
  const spares = sparesOf(group, tenant, view);
  const order = reclaimOrder(objects, new Set(spares.keys()));
  const victims = pickVictims(order, missing, spares);
  if (victims.length === 0) {
    return wait({
      reason: "quota-lent",
      wakes: [groupFact(group.name), ...[...group.members].toSorted().map(quotaFact)],
      deadlineMs: look.now + PATIENCE_MS,
      because: {
        summary: `${tenant} is owed quota by its group ${group.name}, and nobody can be asked for it`,
      },
    });
  }
  return propose(evictions(victims, { kind: "quota-reclaim", waiting: waiting.key }), {
    summary: `${victims.length} replicas that use more than their own quota make way for ${waiting.meta.name} of ${tenant}`,
  });
}

function firstEntitled(tenant: string, { objects }: View): Replica | undefined {
  let first: Replica | undefined;
  for (const replica of objects.books.of(tenant).admitted.values()) {
    if (first !== undefined && first.key < replica.key) continue;
    if (isEntitled(objects, replica)) first = replica;
  }
  return first;
}

/** What each of the others may be asked for. */
function sparesOf(group: GroupBook, tenant: string, { objects }: View): Map<string, Amounts> {
  const spares = new Map<string, Amounts>();
  for (const member of group.members) {
    const spare = member === tenant ? undefined : spareOf(objects, member);
    if (spare !== undefined && isSome(spare)) spares.set(member, spare);
  }
  return spares;
}

const isSome = (amounts: Amounts): boolean => AMOUNT_NAMES.some((name) => amounts[name] > 0);

const evictions = (victims: readonly Replica[], evidence: Evidence): readonly Intent[] =>
  victims.slice(0, EVICTIONS_PER_LOOK).map((victim) => ({
    kind: "evict",
    operation: evictOperation(victim, "quota"),
    replica: victim.key,
    life: victim.status.life,
    evidence,
  }));
