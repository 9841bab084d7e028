/**
 * Makes a workload's replicas match its desired state: gives wanted indexes an incarnation and
 * quota, queues them, ends unwanted ones, releases a deleted workload after its last. Observes a
 * view that may be stale; leaves nodes to `place` and every check to the authority.
 */
import { countAre, countText } from "../model/text/count-text.ts";
import type { Intent, IndexIncarnation } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import { REPLICAS_FINALIZER } from "../model/finalizers.ts";
import type { Controller } from "../runner/controller.ts";
import {
  type Because,
  type Decision,
  type Look,
  propose,
  settled,
  wait,
} from "../protocol/decision.ts";
import { type Amounts, NOTHING, plus } from "../model/amounts.ts";
import { isJob, type Job } from "../model/batch.ts";
import type { Evidence } from "../model/evidence.ts";
import type { ObjectKey } from "../model/ids.ts";
import { workloadOf } from "../model/workload-of.ts";
import type { Replica, Workload } from "../model/objects.ts";
import { isMoving, rolloutBounds, type WantedIndexes, wantedOf } from "../model/rollout.ts";
import { holdsNode, isResting } from "../model/stage.ts";
import { wantsIndex } from "../model/wanted-indexes.ts";
import { liveCount } from "../observe/rollout-counts.ts";
import { isIndexesOwn, isSpent, nextIncarnation } from "../observe/index-replicas.ts";
import type { View } from "../observe/view.ts";
import { deleteOperation, evictOperation, finalizeOperation } from "../protocol/operations.ts";
import { JobIndexes } from "./batch/job-indexes.ts";
import { GangClocks } from "./gang.ts";
import { gatherGang, type GangWait } from "./gather-gang.ts";
import { type Advance, apart, startIncarnations } from "./start-incarnations.ts";
import { queueReserved, reserve } from "./hold-quota.ts";
import type { QuotaWait } from "./quota-wait.ts";
import { RestartDelays } from "./restart-delay.ts";
import { WideWorkloads } from "./wide-workloads.ts";

/** A wide workload is admitted in steps, so that its thousand replicas are not one long turn. */
const INTENTS_PER_LOOK = 32;

/** If a workload fails as a whole, its first replicas show it. */
const RESTARTS_SHOWN = 32;

/** The watch shows the progress of others; this covers a lost event. */
const PATIENCE_MS = 15_000;

/** Memory between looks; none of it has to survive. */
interface Memory {
  readonly delays: RestartDelays;
  readonly gangs: GangClocks;
  readonly jobs: JobIndexes;
  readonly wide: WideWorkloads;
}

export function createAdmit(): Controller {
  const memory: Memory = {
    delays: new RestartDelays(),
    gangs: new GangClocks(),
    jobs: new JobIndexes(),
    wide: new WideWorkloads(),
  };
  return {
    role: "admit",
    interest: {
      kinds: new Set(["Workload", "Replica", "Reservation", "Quota", "Plane"]),
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

/** The tasks and waits that one look at a workload has found. */
export interface Findings {
  readonly intents: Intent[];
  readonly delays: RestartDelays;
  readonly gangs: GangClocks;
  readonly jobs: JobIndexes;
  /** The first replica that waits for quota, with the missing quota. */
  quota: QuotaWait | undefined;
  stopping: number;
  /** Indexes that wait for another of the workload to end, and the bound they meet. */
  surge: number;
  surgeOf: "rollout-surge" | "job-parallelism";
  readonly restarts: Restart[];
  /** Why a gang waits, other than for quota. */
  gang: GangWait | undefined;
}

function admit(key: ObjectKey, view: View, look: Look, memory: Memory): Decision {
  const workload = view.objects.workload(key);
  const deadlineMs = memory.wide.dueMs(workload);
  if (deadlineMs > look.now) {
    const summary = "it has many replicas; their changes are collected briefly";
    return wait({ reason: "gathering", wakes: [], deadlineMs, because: { summary } });
  }
  const decision = lookAt(key, workload, { view, look, memory });
  memory.wide.looked(key, workload, decision, look.now);
  return decision;
}

interface Looking {
  readonly view: View;
  readonly look: Look;
  readonly memory: Memory;
}

function lookAt(key: ObjectKey, workload: Workload | undefined, looking: Looking): Decision {
  const { view, look, memory } = looking;
  if (workload?.spec.gang === undefined) memory.gangs.forget(key);
  if (!isJob(workload)) memory.jobs.forget(key);
  const found: Findings = {
    intents: [],
    ...memory,
    gang: undefined,
    quota: undefined,
    stopping: 0,
    surge: 0,
    surgeOf: isJob(workload) ? "job-parallelism" : "rollout-surge",
    restarts: [],
  };
  const replicas = view.objects.replicasOf(key);
  const unwanted = isTidy(workload, view) ? [] : unwantedOf(replicas.values(), workload, view);
  for (const replica of unwanted) end(replica, { kind: "surplus", workload: key }, found);
  if (workload !== undefined) {
    if (workload.meta.deletingMs === undefined) advanceIndexes(workload, view, look, found);
    else if (replicas.size === 0) letGo(workload, found);
  }
  return conclude(key, found, look);
}

function conclude(key: ObjectKey, found: Findings, look: Look): Decision {
  const { intents, quota, stopping, restarts } = found;
  const restartMs = Math.min(...restarts.map(({ dueMs }) => dueMs));
  if (intents.length > 0) {
    const summary = `${countText(intents.length, "step")} towards the desired state of ${key}`;
    return propose(intents.slice(0, INTENTS_PER_LOOK), { summary });
  }
  const patienceMs = look.now + PATIENCE_MS;
  // A gang releases its quota in time, whatever it waits for.
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
        summary: `${countText(restarts.length, "failed replica")} to restart after a delay`,
        restarts: restarts.toSorted((a, b) => a.dueMs - b.dueMs).slice(0, RESTARTS_SHOWN),
      },
    });
  }
  if (found.gang !== undefined) {
    const { reason, deadlineMs, summary } = found.gang;
    return wait({ reason, wakes: [], deadlineMs, because: { summary } });
  }
  if (found.surge > 0) {
    return wait({
      reason: found.surgeOf,
      wakes: [],
      deadlineMs: patienceMs,
      because: { summary: `${countText(found.surge, "replica")} to begin once others have ended` },
    });
  }
  if (stopping === 0) return settled;
  return wait({
    reason: "stopping",
    wakes: [],
    deadlineMs: patienceMs,
    because: { summary: `${countAre(stopping, "replica")} being stopped by the agent` },
  });
}

/** Whether none of it is unwanted: a job may have many replicas, and is looked at for each. */
const isTidy = (workload: Workload | undefined, { objects }: View): boolean =>
  isJob(workload) && workload.meta.deletingMs === undefined && objects.jobs.isAlone(workload);

/** Sorted: the order of arrival must not decide. */
function unwantedOf(
  replicas: Iterable<Replica>,
  workload: Workload | undefined,
  { objects }: View,
): readonly Replica[] {
  const unwanted: Replica[] = [];
  for (const replica of replicas) {
    const { workloadUid: uid, generation, index } = replica.spec;
    const isWanted = wantsIndex(workload, { uid, generation, index });
    if (!isWanted || isSpent(objects, replica)) unwanted.push(replica);
  }
  return unwanted.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

type Unneeded = Extract<Evidence, { kind: "surplus" | "job-over" }>;

function end(replica: Replica, evidence: Unneeded, found: Findings): void {
  const { stage, incarnation, stopping } = replica.status;
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
    operation: evictOperation(replica, evidence.kind === "surplus" ? "surplus" : "finished"),
    replica: replica.key,
    incarnation,
    evidence,
  });
}

function advanceIndexes(workload: Workload, view: View, look: Look, found: Findings): void {
  if (isJob(workload)) {
    advanceJob(workload, { view, look, found });
    return;
  }
  // Quota and incarnations already spent in this look, so that none is promised twice.
  const means: Means = { spent: NOTHING, incarnations: incarnationsLeft(workload, view) };
  for (const wanted of wantedOf(workload)) {
    const indexes = replicasByIndex(workload, wanted.generation, view);
    const needs = indexesInNeed({ workload, wanted, indexes, means }, { view, look, found });
    if (workload.spec.gang !== undefined) gatherGang(workload, needs, { view, look, found });
    else begin(workload, { ...needs, generation: wanted.generation, means }, { view, found });
  }
}

/** Only indexes that may need work; replicas of an ended job have to end. */
function advanceJob(workload: Job, advance: Advance): void {
  const { view, found } = advance;
  const job = found.jobs.survey(workload, view.objects);
  for (const replica of job.over) end(replica, { kind: "job-over", workload: workload.key }, found);
  const { templateGeneration: generation } = workload.status;
  const means: Means = { spent: NOTHING, incarnations: job.incarnations };
  const of = { workload, wanted: { generation, indexes: [] }, indexes: job.replicas, means };
  const needs: IndexNeeds = { fresh: [], admitted: [] };
  for (const index of job.indexes) lookAtIndex(index, of, needs, advance);
  found.surge += job.waiting;
  if (workload.spec.gang !== undefined) gatherGang(workload, needs, advance);
  else begin(workload, { ...needs, generation, means }, advance);
}

interface Means {
  spent: Amounts;
  /** How many more may live during a rollout (RO2). */
  incarnations: number;
}

function incarnationsLeft(workload: Workload, view: View): number {
  if (!isMoving(workload.status.rollout)) return Number.POSITIVE_INFINITY;
  const most = workload.spec.replicas + rolloutBounds(workload.spec).surge;
  return Math.max(0, most - liveCount(view.objects, workload));
}

interface IndexNeeds {
  /** Indexes that need a new incarnation. */
  readonly fresh: IndexIncarnation[];
  /** Members of a gang that have one and hold no quota yet. */
  readonly admitted: Replica[];
}

interface WantedGeneration {
  readonly workload: Workload;
  readonly wanted: WantedIndexes;
  readonly indexes: readonly (Replica | undefined)[];
  readonly means: Means;
}

/** Run by run: every look walks up to half a million indexes. */
function indexesInNeed(asked: WantedGeneration, advance: Advance): IndexNeeds {
  const needs: IndexNeeds = { fresh: [], admitted: [] };
  const { indexes: runs } = asked.wanted;
  for (let at = 0; at < runs.length; at += 2) {
    const most = Math.min(runs[at + 1] as number, asked.workload.spec.replicas);
    for (let index = runs[at] as number; index < most; index += 1) {
      lookAtIndex(index, asked, needs, advance);
    }
  }
  return needs;
}

function lookAtIndex(
  index: number,
  { workload, wanted, indexes, means }: WantedGeneration,
  { fresh, admitted }: IndexNeeds,
  { view, look, found }: Advance,
): void {
  const replica = indexes[index];
  // A namesake's replica under another uid has to go before the index begins.
  if (replica !== undefined && replica.spec.workloadUid !== workload.meta.uid) return;
  const stage = replica?.status.stage;
  const next = () => nextIncarnation(view.objects, workload, wanted.generation, index);
  if (replica === undefined || stage === "released") {
    fresh.push({ index, incarnation: next() });
  } else if (stage === "failed") {
    if (isRetryDue(replica, look, found)) fresh.push({ index, incarnation: next() });
  } else if (stage === "admitted" && !queueReserved(replica, view, found)) {
    if (workload.spec.gang !== undefined) {
      admitted.push(replica);
      return;
    }
    const needed = plus(means.spent, replica.spec.template.ask.amounts);
    if (reserve(replica, view, look, needed, found)) means.spent = needed;
  }
}

function begin(
  workload: Workload,
  { fresh, generation, means }: IndexNeeds & { readonly generation: number; readonly means: Means },
  { view, found }: Pick<Advance, "view" | "found">,
): void {
  for (const part of apart(workload, fresh, { view, generation })) {
    const allowed = part.length > means.incarnations ? part.slice(0, means.incarnations) : part;
    found.surge += part.length - allowed.length;
    means.incarnations -= allowed.length;
    if (allowed.length === 0) continue;
    const of = { view, found, spent: means.spent, generation };
    means.spent = startIncarnations(workload, allowed, of);
  }
}

/** Replicas of one generation; an index without one is left empty. */
function replicasByIndex(
  workload: Workload,
  generation: number,
  view: View,
): readonly (Replica | undefined)[] {
  const indexes = Array.from<Replica | undefined>({ length: workload.spec.replicas });
  for (const replica of view.objects.replicasOf(workload.key).values()) {
    const { generation: its, index } = replica.spec;
    // A superseded replica blocks no other and counts for none.
    if (its === generation && isIndexesOwn(view.objects, replica)) indexes[index] = replica;
  }
  return indexes;
}

function isRetryDue(replica: Replica, look: Look, found: Findings): boolean {
  const dueMs = found.delays.dueMs(replica, look.now);
  if (dueMs <= look.now) return true;
  const { failures } = replica.status;
  found.restarts.push({ replica: replica.meta.name, failures, dueMs });
  return false;
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
