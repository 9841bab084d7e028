/**
 * Makes a workload's replicas match its wish: gives wanted slots a life, holds quota for them, queues
 * them; ends what is not wanted any more; lets a deleted workload go when its last replica has.
 * Observes workloads, replicas, reservations and quota through a view that may be stale; leaves the
 * choice of a node to `place` and every check to the authority.
 */
import type { Intent } from "../commit/command.ts";
import type { Change } from "../commit/commit-record.ts";
import { REPLICAS_FINALIZER } from "../commit/judge/put.ts";
import { wantsSlot } from "../commit/judge/wanted.ts";
import type { Controller } from "../controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../decision.ts";
import { plus, shortage } from "../model/amounts.ts";
import { type ObjectKey, replicaKey } from "../model/ids.ts";
import { workloadOf } from "../model/workload-of.ts";
import type { Replica, Workload } from "../model/objects.ts";
import { holdsNode, isResting } from "../model/stage.ts";
import { quotaFact } from "../observe/facts.ts";
import { isHeldFor } from "../observe/held-for.ts";
import type { View } from "../observe/view.ts";
import {
  admitOperation,
  deleteOperation,
  evictOperation,
  finalizeOperation,
  queueOperation,
  reserveOperation,
} from "../operations.ts";
import { RestartDelays } from "./restart-delay.ts";

/** Reservations say until when they are meant to be used; it is shown to people and ends nothing by itself. */
const RESERVATION_MS = 600_000;

/** A wide workload is admitted in steps, so that one tenant's thousand slots do not make one long turn. */
const INTENTS_PER_LOOK = 32;

/** Progress of others is shown by the watch; this is only for the case that it is not. */
const PATIENCE_MS = 15_000;

export function createAdmit(): Controller {
  const delays = new RestartDelays();
  return {
    role: "admit",
    interest: {
      kinds: new Set(["Workload", "Replica", "Reservation", "Quota"]),
      node: undefined,
    },
    keysFor,
    allKeys: (view) => [...view.objects.all("Workload").keys(), ...orphanedWorkloads(view)],
    reconcile: (key, view, look) => admit(key, view, look, delays),
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

/** What one look at a workload has found to do and to wait for. */
interface Findings {
  readonly intents: Intent[];
  readonly delays: RestartDelays;
  quotaShort: boolean;
  stopping: number;
  restartMs: number;
}

function admit(key: ObjectKey, view: View, look: Look, delays: RestartDelays): Decision {
  const workload = view.objects.workload(key);
  const found: Findings = {
    intents: [],
    delays,
    quotaShort: false,
    stopping: 0,
    restartMs: Number.POSITIVE_INFINITY,
  };
  const replicas = [...view.objects.replicasOf(key).values()].toSorted((a, b) =>
    a.key < b.key ? -1 : 1,
  );
  for (const replica of replicas) endUnwanted(replica, workload, key, found);
  if (workload !== undefined) {
    if (workload.meta.deletingMs === undefined) advanceSlots(workload, view, look, found);
    else if (replicas.length === 0) letGo(workload, found);
  }
  return conclude(key, found, look);
}

function conclude(key: ObjectKey, found: Findings, look: Look): Decision {
  const { intents, quotaShort, stopping, restartMs } = found;
  if (intents.length > 0) {
    const summary = `${intents.length} steps towards the wish of ${key}`;
    return propose(intents.slice(0, INTENTS_PER_LOOK), { summary });
  }
  const patienceMs = look.now + PATIENCE_MS;
  if (quotaShort) {
    const tenant = key.split("/")[1] ?? "";
    return wait({
      reason: "quota-exhausted",
      wakes: [quotaFact(tenant)],
      deadlineMs: Math.min(patienceMs, restartMs),
      because: { summary: `tenant ${tenant} has too little free quota for another replica` },
    });
  }
  if (restartMs < Number.POSITIVE_INFINITY) {
    return wait({
      reason: "restart-backoff",
      wakes: [],
      deadlineMs: restartMs,
      because: { summary: "a failed replica waits before its next life" },
    });
  }
  if (stopping === 0) return settled;
  return wait({
    reason: "stopping",
    wakes: [],
    deadlineMs: patienceMs,
    because: { summary: `${stopping} replicas are being stopped by their agents` },
  });
}

function endUnwanted(
  replica: Replica,
  workload: Workload | undefined,
  workloadName: ObjectKey,
  found: Findings,
): void {
  const { workloadUid: uid, generation, slot } = replica.spec;
  if (wantsSlot(workload, { uid, generation, slot })) return;
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
  const { namespace: tenant, name } = workload.meta;
  const generation = workload.status.templateGeneration;
  // What this very look has already spent, so that one pass does not promise the same quota twice.
  let spent = { cpuMillis: 0, memoryMiB: 0, devices: 0 };
  for (let slot = 0; slot < workload.spec.replicas; slot += 1) {
    const replica = view.objects.replica(replicaKey({ tenant, workload: name, generation, slot }));
    // The same name under another uid is a namesake's leftover; it has to go before the slot begins.
    if (replica !== undefined && replica.spec.workloadUid !== workload.meta.uid) continue;
    const stage = replica?.status.stage;
    if (replica === undefined || stage === "released") {
      found.intents.push(giveLife(workload, slot, (replica?.status.life ?? 0) + 1));
    } else if (stage === "failed") {
      retryFailed(workload, replica, look, found);
    } else if (stage === "admitted") {
      const needed = plus(spent, replica.spec.template.ask.amounts);
      if (queueOrReserve(replica, view, look, needed, found)) spent = needed;
    }
  }
}

const giveLife = (workload: Workload, slot: number, life: number): Intent => ({
  kind: "admit",
  operation: admitOperation(workload, slot, life),
  workload: workload.key,
  generation: workload.status.templateGeneration,
  slot,
  life,
});

function retryFailed(workload: Workload, replica: Replica, look: Look, found: Findings): void {
  const dueMs = found.delays.dueMs(replica, look.now);
  if (dueMs > look.now) found.restartMs = Math.min(found.restartMs, dueMs);
  else found.intents.push(giveLife(workload, replica.spec.slot, replica.status.life + 1));
}

/** True when the step proposed spends free quota. */
function queueOrReserve(
  replica: Replica,
  view: View,
  look: Look,
  needed: { cpuMillis: number; memoryMiB: number; devices: number },
  found: Findings,
): boolean {
  const { life } = replica.status;
  for (const held of view.objects.reservationsOf(replica.key).values()) {
    if (!isHeldFor(held, replica)) continue;
    found.intents.push({
      kind: "transition",
      operation: queueOperation(replica),
      key: replica.key,
      life,
      from: "admitted",
      to: "queued",
      reservation: held.key,
    });
    return false;
  }
  const { free } = view.objects.accountOf(replica.meta.namespace);
  if (shortage(needed, free) !== undefined) {
    found.quotaShort = true;
    return false;
  }
  found.intents.push({
    kind: "reserve",
    operation: reserveOperation(replica),
    replica: replica.key,
    life,
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
