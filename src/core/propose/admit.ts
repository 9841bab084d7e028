/**
 * Makes a workload's replicas match its wish: gives wanted slots a life, holds quota for them, queues
 * them; ends what is not wanted any more; lets a deleted workload go when its last replica has.
 * Observes workloads, replicas, reservations and quota through a view that may be stale; leaves the
 * choice of a node to `place` and every check to the authority.
 */
import type { Intent, SlotLife } from "../commit/command.ts";
import type { Change } from "../commit/commit-record.ts";
import { REPLICAS_FINALIZER } from "../commit/judge/plane-finalizers.ts";
import { wantsSlot } from "../commit/judge/wanted.ts";
import type { Controller } from "../controller.ts";
import { type Because, type Decision, type Look, propose, settled, wait } from "../decision.ts";
import { type Amounts, NOTHING, plus } from "../model/amounts.ts";
import type { ObjectKey } from "../model/ids.ts";
import { workloadOf } from "../model/workload-of.ts";
import type { Replica, Workload } from "../model/objects.ts";
import { holdsNode, isResting } from "../model/stage.ts";
import { quotaShort } from "../observe/accounts/quota-room.ts";
import { isHeldFor } from "../observe/held-for.ts";
import type { View } from "../observe/view.ts";
import {
  deleteOperation,
  evictOperation,
  finalizeOperation,
  queueOperation,
  reserveOperation,
} from "../operations.ts";
import { GangClocks } from "./gang.ts";
import { gatherGang, type GangWait } from "./gather-gang.ts";
import { giveLives } from "./give-lives.ts";
import { type QuotaWait, quotaWait } from "./quota-wait.ts";
import { RestartDelays } from "./restart-delay.ts";

/** A wide workload is admitted in steps, so that one tenant's thousand slots do not make one long turn. */
const INTENTS_PER_LOOK = 32;

/** Reservations say until when they are meant to be used; it is shown to people and ends nothing by itself. */
const RESERVATION_MS = 600_000;

/** A workload that fails as a whole is told by its first ones. */
const RESTARTS_SHOWN = 32;

/** Progress of others is shown by the watch; this is only for the case that it is not. */
const PATIENCE_MS = 15_000;

/** What is remembered between looks; none of it has to survive. */
interface Memory {
  readonly delays: RestartDelays;
  readonly gangs: GangClocks;
}

export function createAdmit(): Controller {
  const memory: Memory = { delays: new RestartDelays(), gangs: new GangClocks() };
  return {
    role: "admit",
    interest: {
      kinds: new Set(["Workload", "Replica", "Reservation", "Quota"]),
      node: undefined,
    },
    keysFor,
    allKeys: (view) => [...view.objects.all("Workload").keys(), ...orphanedWorkloads(view)],
    reconcile: (key, view, look) => admit(key, view, look, memory),
  };
}

function keysFor(change: Change, view: View): readonly ObjectKey[] {
  const object = change.after ?? change.before;
  switch (object?.kind) {
    case "Workload":
      return [object.key];
    case "Replica":
      return [workloadOf(object)];
    case "Reservation": {
      const owner = view.objects.replica(object.spec.owner);
      return owner ? [workloadOf(owner)] : [];
    }
    default:
      return [];
  }
}

function orphanedWorkloads(view: View): readonly ObjectKey[] {
  const keys = new Set<ObjectKey>();
  for (const replica of view.objects.all("Replica").values()) {
    const key = workloadOf(replica);
    if (view.objects.workload(key) === undefined) keys.add(key);
  }
  return [...keys];
}

type Restart = NonNullable<Because["restarts"]>[number];

/** What one look at a workload has found to do and to wait for. */
export interface Findings {
  readonly intents: Intent[];
  readonly delays: RestartDelays;
  readonly gangs: GangClocks;
  /** The first replica that waits for quota, and for what. */
  quota: QuotaWait | undefined;
  stopping: number;
  readonly restarts: Restart[];
  /** What a gang waits for, other than quota. */
  gang: GangWait | undefined;
}

function admit(key: ObjectKey, view: View, look: Look, memory: Memory): Decision {
  const workload = view.objects.workload(key);
  if (workload?.spec.gang === undefined) memory.gangs.forget(key);
  const found: Findings = {
    intents: [],
    ...memory,
    gang: undefined,
    quota: undefined,
    stopping: 0,
    restarts: [],
  };
  const replicas = view.objects.replicasOf(key);
  for (const replica of unwantedOf(replicas.values(), workload)) endUnwanted(replica, key, found);
  if (workload !== undefined) {
    if (workload.meta.deletingMs === undefined) advanceSlots(workload, view, look, found);
    else if (replicas.size === 0) letGo(workload, found);
  }
  return conclude(key, found, look);
}

function conclude(key: ObjectKey, found: Findings, look: Look): Decision {
  const { intents, quota, stopping, restarts } = found;
  const restartMs = Math.min(...restarts.map(({ dueMs }) => dueMs));
  if (intents.length > 0) {
    const summary = `${intents.length} steps towards the wish of ${key}`;
    return propose(intents.slice(0, INTENTS_PER_LOOK), { summary });
  }
  const patienceMs = look.now + PATIENCE_MS;
  // What a gang holds it gives back in time, whatever it is that it waits for.
  const gangMs = found.gang?.deadlineMs ?? Number.POSITIVE_INFINITY;
  if (quota !== undefined) {
    const { reason, wakes, summary } = quota;
    const deadlineMs = Math.min(patienceMs, restartMs, gangMs);
    return wait({ reason, wakes, deadlineMs, because: { summary } });
  }
  if (restartMs < Number.POSITIVE_INFINITY) {
    return wait({
      reason: "restart-backoff",
      wakes: [],
      deadlineMs: Math.min(restartMs, gangMs),
      because: {
        summary: `${restarts.length} failed replicas wait before their next life`,
        restarts: restarts.toSorted((a, b) => a.dueMs - b.dueMs).slice(0, RESTARTS_SHOWN),
      },
    });
  }
  if (found.gang !== undefined) {
    const { reason, deadlineMs, summary } = found.gang;
    return wait({ reason, wakes: [], deadlineMs, because: { summary } });
  }
  if (stopping === 0) return settled;
  return wait({
    reason: "stopping",
    wakes: [],
    deadlineMs: patienceMs,
    because: { summary: `${stopping} replicas are being stopped by their agents` },
  });
}

/** Sorted: the order of arrival must not decide. */
function unwantedOf(
  replicas: Iterable<Replica>,
  workload: Workload | undefined,
): readonly Replica[] {
  const unwanted: Replica[] = [];
  for (const replica of replicas) {
    const { workloadUid: uid, generation, slot } = replica.spec;
    if (!wantsSlot(workload, { uid, generation, slot })) unwanted.push(replica);
  }
  return unwanted.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

function endUnwanted(replica: Replica, workloadName: ObjectKey, found: Findings): void {
  const { stage, life, stopping } = replica.status;
  if (isResting(stage)) {
    found.delays.forget(replica.key);
    found.intents.push({
      kind: "delete",
      operation: deleteOperation(replica),
      key: replica.key,
      expect: {},
    });
    return;
  }
  if (holdsNode(stage) && stopping !== undefined) {
    found.stopping += 1;
    return;
  }
  found.intents.push({
    kind: "evict",
    operation: evictOperation(replica, "surplus"),
    replica: replica.key,
    life,
    evidence: { kind: "surplus", workload: workloadName },
  });
}

function advanceSlots(workload: Workload, view: View, look: Look, found: Findings): void {
  const slots = replicasBySlot(workload, view);
  // What this very look has already spent, so that one pass does not promise the same quota twice.
  let spent: Amounts = NOTHING;
  const fresh: SlotLife[] = [];
  const admitted: Replica[] = [];
  for (let slot = 0; slot < workload.spec.replicas; slot += 1) {
    const replica = slots[slot];
    // The same name under another uid is a namesake's leftover; it has to go before the slot begins.
    if (replica !== undefined && replica.spec.workloadUid !== workload.meta.uid) continue;
    const stage = replica?.status.stage;
    if (replica === undefined || stage === "released") {
      fresh.push({ slot, life: (replica?.status.life ?? 0) + 1 });
    } else if (stage === "failed") {
      if (isRetryDue(replica, look, found)) fresh.push({ slot, life: replica.status.life + 1 });
    } else if (stage === "admitted") {
      if (queueReserved(replica, view, found)) continue;
      if (workload.spec.gang !== undefined) {
        admitted.push(replica);
        continue;
      }
      const needed = plus(spent, replica.spec.template.ask.amounts);
      if (reserve(replica, view, look, needed, found)) spent = needed;
    }
  }
  if (workload.spec.gang !== undefined) {
    gatherGang(workload, { fresh, admitted }, { view, look, found });
  } else if (fresh.length > 0) giveLives(workload, fresh, { view, look, found, spent });
}

/** Those of the generation that is wanted; a slot without one is left empty. */
function replicasBySlot(workload: Workload, view: View): readonly (Replica | undefined)[] {
  const slots = Array.from<Replica | undefined>({ length: workload.spec.replicas });
  for (const replica of view.objects.replicasOf(workload.key).values()) {
    const { generation, slot } = replica.spec;
    if (generation === workload.status.templateGeneration) slots[slot] = replica;
  }
  return slots;
}

function isRetryDue(replica: Replica, look: Look, found: Findings): boolean {
  const dueMs = found.delays.dueMs(replica, look.now);
  if (dueMs <= look.now) return true;
  const { failures } = replica.status;
  found.restarts.push({ replica: replica.meta.name, failures, dueMs });
  return false;
}

/** True when quota is held for the replica already, and all it needs is to be queued. */
function queueReserved(replica: Replica, view: View, found: Findings): boolean {
  for (const held of view.objects.reservationsOf(replica.key)) {
    if (held.spec.room !== undefined || !isHeldFor(held, replica)) continue;
    found.intents.push({
      kind: "transition",
      operation: queueOperation(replica),
      key: replica.key,
      life: replica.status.life,
      from: "admitted",
      to: "queued",
      reservation: held.key,
    });
    return true;
  }
  return false;
}

/** True when there is quota, which the step that is proposed spends. */
function reserve(
  replica: Replica,
  view: View,
  look: Look,
  needed: Amounts,
  found: Findings,
): boolean {
  const { namespace: tenant } = replica.meta;
  const { priorityClass } = replica.spec.template;
  const short = quotaShort(view.objects, { tenant, priorityClass, amounts: needed });
  if (short !== undefined) {
    found.quota ??= quotaWait(replica, short, view);
    return false;
  }
  found.intents.push({
    kind: "reserve",
    operation: reserveOperation(replica),
    replica: replica.key,
    life: replica.status.life,
    deadlineMs: look.now + RESERVATION_MS,
  });
  return true;
}

function letGo(workload: Workload, found: Findings): void {
  const finalizers = workload.meta.finalizers.filter((name) => name !== REPLICAS_FINALIZER);
  if (finalizers.length === workload.meta.finalizers.length) return;
  found.intents.push({
    kind: "put",
    operation: finalizeOperation(workload),
    key: workload.key,
    desired: { kind: "Workload", spec: workload.spec },
    labels: workload.meta.labels,
    finalizers,
    expect: { revision: workload.meta.revision },
  });
}
