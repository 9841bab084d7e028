/**
 * All deviations from the desired state, computed naively from the truth. The simulator ends a
 * healed run when there is none; the progress checker asks how long each one has lasted.
 */
import { type ObjectKey, workloadKey } from "../../../core/model/ids.ts";
import type { Replica, Workload } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { hasNeverReady } from "../../world/never-ready.ts";
import type { Truth } from "../checker.ts";
import { provisionalLeft } from "./partitioned-progress.ts";
import { deletionsLeft } from "./deletion-progress.ts";
import { disconnectsLeft, nameOfIndex } from "./disconnect-progress.ts";
import { budgetsLeft, budgetsNotGranted } from "./recovery-budget-progress.ts";
import { isHolding } from "../models/holding.ts";
import { gangNotDone } from "./gang-progress.ts";
import { isJobs, jobNotDone } from "./job-progress.ts";
import { feasibleNodes, nodeWithoutBatches } from "../models/naive-fit.ts";
import { holdingAt, raisedFor } from "../models/naive-overrides.ts";
import { preemptableNode, priorityOf, takenOut, unavailable } from "../models/naive-preemption.ts";
import { type QuotaPicture, quotaPicture } from "../models/naive-quota.ts";
import { isServing, isWantedBy, wantedIndexes } from "../models/naive-wanted.ts";
import { leftByRollbacks } from "./policy-progress.ts";
import { poolsNotDone } from "./pool-progress.ts";
import { isHeldBack, overridesLeft } from "./override-progress.ts";
import { probeNotTold } from "./probe-progress.ts";
import { recoveryNotKept } from "./recovery-progress.ts";
import { isSurgeFull, rolloutNotDone } from "./rollout-progress.ts";
import { notScaled } from "./scale-progress.ts";
import type { Unfinished } from "./unfinished-work.ts";
import { forAPerson, leftOfVanishedNodes } from "./vanished-progress.ts";

/**
 * The next list finds a watch event that was dropped just before the world healed, at most a minute
 * later. A key out of attempts waits half a minute for its resync, and its successor may too.
 * Written out, not imported: a slower component has broken the promise.
 */
export const STALL_MS = 120_000;

/** Room stays reserved for a minute beyond the longest grace; it is then released and made anew. */
const HOLD_MS = 60_000;

/** A failed index restarts after a second, doubling with every failure, at most five minutes. */
const FIRST_RESTART_MS = 1_000;
const LAST_RESTART_MS = 300_000;

/** A hostile sender may keep breaking its own objects. */
export function* unfinished(truth: Truth): Iterable<Unfinished> {
  for (const found of honestlyUnfinished(truth)) {
    if (truth.isOwnDamage?.(found.rule, found.key) !== true) yield found;
  }
}

/** Without the deviations that only a person can end. */
function* honestlyUnfinished(truth: Truth): Iterable<Unfinished> {
  const theirs = forAPerson(truth);
  for (const found of allUnfinished(truth)) {
    if (!theirs.has(found.key) && !isHeldBack(truth, found)) yield found;
  }
  yield* overridesLeft(truth, STALL_MS);
  yield* budgetsLeft(truth, STALL_MS);
}

function* allUnfinished(truth: Truth): Iterable<Unfinished> {
  yield* nodesNotReady(truth);
  yield* leftOfVanishedNodes(truth);
  yield* reservationsLeft(truth);
  yield* deletionsLeft(truth, STALL_MS);
  yield* replicasLeft(truth);
  yield* indexesNotDone(truth);
  yield* quotasNotDrained(truth);
  yield* disconnectsLeft(truth);
  yield* leftByRollbacks(truth, STALL_MS);
  yield* notScaled(truth, STALL_MS);
  yield* poolsNotDone(truth, STALL_MS);
  yield* provisionalLeft(truth, STALL_MS);
  yield* budgetsNotGranted(truth, STALL_MS);
}

function* nodesNotReady(truth: Truth): Iterable<Unfinished> {
  for (const { key, meta, status } of truth.objects.all("Node").values()) {
    if (status.health === "ready" || !truth.isNodeUp(meta.name)) continue;
    yield stuck(
      "LIV5",
      key,
      status.health,
      `${key} is up, and ${status.health} to the control plane.`,
    );
  }
}

function* reservationsLeft(truth: Truth): Iterable<Unfinished> {
  for (const { key, spec } of truth.objects.all("Reservation").values()) {
    const owner = truth.objects.replica(spec.owner);
    const isUseful =
      owner?.meta.uid === spec.ownerUid &&
      owner.status.incarnation === spec.incarnation &&
      (owner.status.stage === "admitted" || owner.status.stage === "queued");
    if (spec.for === "recovery") continue;
    // In a healed world the victims leave and the preemptor comes.
    if (spec.for !== "quota") {
      const what = `${key} still holds room on ${spec.room.node} for ${spec.owner}`;
      yield { ...stuck("LIV4", key, "held", `${what}.`), patienceMs: STALL_MS + HOLD_MS };
    } else if (!isUseful) {
      yield stuck(
        "LIV4",
        key,
        "held",
        `${key} is held for ${spec.owner} incarnation ${spec.incarnation}, which is gone.`,
      );
    }
  }
}

function* replicasLeft(truth: Truth): Iterable<Unfinished> {
  const draining = new Set<string>();
  for (const { meta, spec, status } of truth.objects.all("Node").values()) {
    // A drain that gave up at its deadline leaves the replicas that could not be spared.
    const hasStopped = status.drain?.overMs !== undefined && spec.drain?.atDeadline !== "force";
    if (spec.draining && !hasStopped) draining.add(meta.name);
  }
  for (const replica of truth.objects.all("Replica").values()) {
    const { key, status } = replica;
    if (!isWanted(replica, truth)) {
      yield stuck("LIV4", key, stateOf(replica), `${key} is ${status.stage} and is not wanted.`);
    } else if (status.node !== undefined && draining.has(status.node)) {
      // A replica that its workload cannot spare may stay.
      if (isSpoken(replica, truth)) continue;
      yield stuck(
        "LIV4",
        key,
        stateOf(replica),
        `${key} still holds ${status.node}, which is draining.`,
      );
    }
  }
}

/** Whether it serves, and its workload has no disruption left. */
function isSpoken(replica: Replica, { objects }: Truth): boolean {
  const workload = objects.workload(workloadKey(replica.meta.namespace, replica.spec.workload));
  if (workload === undefined || !isServing(replica)) return false;
  const most = workload.spec.disruption?.maxUnavailable;
  if (most === undefined) {
    return workload.spec.type === "service" && takenOut(objects, workload) > 0;
  }
  return unavailable(objects, workload) >= most + raisedFor(holdingAt(objects), workload.meta);
}

const isWanted = ({ meta, spec }: Replica, { objects }: Truth): boolean =>
  isWantedBy(objects.workload(workloadKey(meta.namespace, spec.workload)), spec);

function* indexesNotDone(truth: Truth): Iterable<Unfinished> {
  const isOwed = owedBy(truth);
  for (const workload of truth.objects.all("Workload").values()) {
    if (workload.meta.deletingMs !== undefined) continue;
    for (const { generation, index } of wantedIndexes(workload)) {
      const found = indexNotDone({ workload, generation, index, isOwed }, truth);
      if (found !== undefined) yield found;
    }
    yield* jobNotDone(workload, truth, STALL_MS);
    yield* recoveryNotKept(workload, truth, STALL_MS);
    const found = gangNotDone(workload, truth) ?? rolloutNotDone(workload, truth, STALL_MS);
    if (found !== undefined) yield found;
  }
}

interface WantedIndex {
  readonly workload: Workload;
  readonly generation: number;
  readonly index: number;
  readonly isOwed: IsOwed;
}

function indexNotDone(
  { workload, generation, index, isOwed }: WantedIndex,
  truth: Truth,
): Unfinished | undefined {
  const key = nameOfIndex(truth, {
    tenant: workload.meta.namespace,
    workload: workload.meta.name,
    generation,
    index,
  });
  const replica = truth.objects.replica(key);
  const isOfGang = workload.spec.gang !== undefined;
  if (isJobs(workload, replica)) return undefined;
  if (replica === undefined) {
    if (isOfGang || isSurgeFull(truth, workload)) return undefined;
    return stuck("LIV1", key, "none", `${key} is wanted and was never admitted.`);
  }
  const { stage } = replica.status;
  if (stage === (workload.spec.type === "batch" ? "succeeded" : "serving")) return undefined;
  if (isHolding(replica)) {
    const isNeverReady = hasNeverReady(replica.spec.template);
    return isNeverReady ? probeNotTold(replica, truth, STALL_MS) : onItsNode(replica, truth);
  }
  // A gang is checked as a whole.
  if (isOfGang && stage !== "failed") return undefined;
  switch (stage) {
    case "admitted": {
      const quota = quotaPicture(truth.objects);
      if (isReserved(replica, truth) || quota.mayReserve(replica)) {
        return couldMove(replica, "there is quota for it", 0);
      }
      return lent(replica, quota) ?? owed(replica, isOwed);
    }
    case "queued": {
      const node = feasibleNodes(truth.objects, replica)[0];
      if (node !== undefined) return couldMove(replica, `${node.meta.name} can take it`, 0);
      const other = preemptableNode(truth.objects, replica);
      if (other !== undefined) return couldPreempt(replica, other.meta.name);
      return passedOver(replica, truth) ?? owed(replica, isOwed);
    }
    case "failed":
      if (isSurgeFull(truth, workload)) return undefined;
      return couldMove(replica, "its restart is due", restartDelayMs(replica.status.failures));
    default:
      if (isSurgeFull(truth, workload)) return undefined;
      return couldMove(replica, "the index is wanted", 0);
  }
}

/** A replica that has its node needs only time: to start, and for a batch to run. */
function onItsNode(replica: Replica, truth: Truth): Unfinished {
  const { node, stage } = replica.status;
  const { startUpMs, batchRunMs } = truth.world;
  const workMs = startUpMs + (replica.spec.type === "batch" ? batchRunMs : 0);
  // A machine that is off gets no requests; the node's own rules decide.
  const patienceMs = truth.isNodeUp(node ?? "") ? STALL_MS + workMs : Infinity;
  return {
    rule: "LIV3",
    key: replica.key,
    stuckAs: stateOf(replica),
    patienceMs,
    message: `${replica.key} holds ${node} and is still ${stage}.`,
  };
}

/** The borrowers have to be asked, and to stop; another tenant may be entitled first. */
const GIVING_BACK_MS = 2 * STALL_MS;

function lent(replica: Replica, quota: QuotaPicture): Unfinished | undefined {
  if (!quota.isEntitled(replica) || !quota.couldBeGiven(replica)) return undefined;
  const { key, meta } = replica;
  const message = `${key} waits for quota that is ${meta.namespace}'s own, and others use it.`;
  const found = stuck("LIV10", key, stateOf(replica), message);
  return { ...found, patienceMs: GIVING_BACK_MS };
}

function* quotasNotDrained(truth: Truth): Iterable<Unfinished> {
  for (const { key, meta, spec } of truth.objects.all("Quota").values()) {
    if (spec.shrink !== "drain") continue;
    if (!quotaPicture(truth.objects).couldBeDrained(meta.namespace)) continue;
    yield stuck("LIV10", key, "overdrawn", `${key} is to be drained and is still overdrawn.`);
  }
}

function isReserved(replica: Replica, truth: Truth): boolean {
  for (const { spec } of truth.objects.all("Reservation").values()) {
    if (spec.owner === replica.key && spec.incarnation === replica.status.incarnation) return true;
  }
  return false;
}

type IsOwed = (workload: ObjectKey, by: "place" | "admit") => boolean;

/** Asks all clients once for all indexes of one look, and none when nothing has to wait. */
function owedBy(truth: Truth): IsOwed {
  let owing: { readonly place: Set<ObjectKey>; readonly admit: Set<ObjectKey> } | undefined;
  const ask = (): NonNullable<typeof owing> => {
    const found = { place: new Set<ObjectKey>(), admit: new Set<ObjectKey>() };
    for (const { name, owed: waits } of truth.clients()) {
      const by = name.startsWith("place-") ? "place" : name === "admit" ? "admit" : undefined;
      if (by !== undefined) for (const { key } of waits) found[by].add(key);
    }
    return found;
  };
  return (workload, by) => (owing ??= ask())[by].has(workload);
}

/**
 * A replica that cannot go on must at least be owed a look: by a scheduler if it is queued, by the
 * admit controller if not. A wait of the other component does not help.
 */
function owed(replica: Replica, isOwed: IsOwed): Unfinished | undefined {
  const { key, meta, spec, status } = replica;
  const workload = workloadKey(meta.namespace, spec.workload);
  if (isOwed(workload, status.stage === "queued" ? "place" : "admit")) return undefined;
  const message = `${key} is ${status.stage} and cannot go on, and no controller owes it another look.`;
  return stuck("LIV2", key, stateOf(replica), message);
}

/** The victims get their grace first, then it starts like any other. */
function couldPreempt(replica: Replica, node: string): Unfinished {
  const { key, status } = replica;
  const what = `${key} is still queued, though others on ${node} would have to make room for it`;
  const found = stuck("LIV9", key, `queued in incarnation ${status.incarnation}`, `${what}.`);
  return { ...found, patienceMs: STALL_MS + HOLD_MS };
}

/** After a minute, a node is reserved for it. */
const PASSED_OVER_MS = 60_000;

/**
 * Whether another replica with a higher priority, or no smaller request, waits for such a node:
 * these take turns.
 */
function hasRival(objects: ObjectIndex, replica: Replica): boolean {
  const { amounts } = replica.spec.template.ask;
  for (const other of objects.all("Replica").values()) {
    if (other.status.stage !== "queued" || other.spec.workload === replica.spec.workload) continue;
    const its = other.spec.template.ask.amounts;
    const isSmaller =
      its.cpuMillis < amounts.cpuMillis &&
      its.memoryMiB <= amounts.memoryMiB &&
      its.deviceMillis <= amounts.deviceMillis;
    if (isSmaller && priorityOf(objects, other) <= priorityOf(objects, replica)) continue;
    if (nodeWithoutBatches(objects, other) !== undefined) return true;
  }
  return false;
}

/** It fits once the batches of a node have ended, even if others would fit there, too. */
function passedOver(replica: Replica, truth: Truth): Unfinished | undefined {
  const node = nodeWithoutBatches(truth.objects, replica);
  if (node === undefined || hasRival(truth.objects, replica)) return undefined;
  const { key, meta, spec } = replica;
  const what = `${key} is still queued, though it fits on ${node.meta.name} when its batches have ended`;
  // While its workload gets places, it is not passed over; it is behind the others.
  const workload = workloadKey(meta.namespace, spec.workload);
  const left = [...truth.objects.replicasOf(workload).values()].filter(
    (other) => other.status.stage === "queued",
  );
  const { startUpMs, batchRunMs } = truth.world;
  const patienceMs = STALL_MS + PASSED_OVER_MS + startUpMs + batchRunMs;
  return { ...stuck("LIV7", key, `one of ${left.length} queued`, `${what}.`), patienceMs };
}

function couldMove(replica: Replica, why: string, delayMs: number): Unfinished {
  const { key, status } = replica;
  const found = stuck(
    "LIV1",
    key,
    stateOf(replica),
    `${key} incarnation ${status.incarnation} is still ${status.stage}, though ${why}.`,
  );
  return { ...found, patienceMs: STALL_MS + delayMs };
}

function restartDelayMs(failures: number): number {
  let delayMs = FIRST_RESTART_MS;
  for (let failure = 1; failure < failures && delayMs < LAST_RESTART_MS; failure += 1) delayMs *= 2;
  return Math.min(delayMs, LAST_RESTART_MS);
}

const stateOf = ({ status }: Replica): string =>
  `${status.stage} in incarnation ${status.incarnation}`;

const stuck = (
  rule: Unfinished["rule"],
  key: ObjectKey,
  stuckAs: string,
  message: string,
): Unfinished => ({
  rule,
  key,
  stuckAs,
  patienceMs: STALL_MS,
  message,
});
