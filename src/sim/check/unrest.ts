/**
 * Everything that is not yet as somebody wants it, worked out naively from the truth. The simulator ends a
 * healed run when there is none; the progress checker asks how long each piece has lasted.
 */
import { type ObjectKey, replicaKey, workloadKey } from "../../core/model/ids.ts";
import type { Replica, Workload } from "../../core/model/objects.ts";
import type { Truth } from "./checker.ts";
import { isHolding } from "./holding.ts";
import { feasibleNodes, fitsInto, freeQuota } from "./naive-fit.ts";

export interface Unrest {
  readonly rule: "LIV1" | "LIV2" | "LIV3" | "LIV4" | "LIV5";
  readonly key: ObjectKey;
  /** Names the state it is stuck in: progress of any kind gives another name, and time counts anew. */
  readonly stuckAs: string;
  /** How long this may last in a healed world before it is a stall. */
  readonly patienceMs: number;
  readonly message: string;
}

/**
 * A watch event dropped just before the world healed is found by the next list, at most a minute later; a
 * key that had used up its attempts by then waits half a minute for its resync, and its successor may too.
 * Written out, not imported: a component that grows more patient than this has broken the promise.
 */
export const STALL_MS = 120_000;

/** A failed slot comes back after a second, doubling with every failure, at most after five minutes. */
const FIRST_RESTART_MS = 1_000;
const LAST_RESTART_MS = 300_000;

export function* unrest(truth: Truth): Iterable<Unrest> {
  yield* nodesNotReady(truth);
  yield* reservationsLeft(truth);
  yield* workloadsLeft(truth);
  yield* replicasLeft(truth);
  yield* slotsNotDone(truth);
}

function* nodesNotReady(truth: Truth): Iterable<Unrest> {
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

function* reservationsLeft(truth: Truth): Iterable<Unrest> {
  for (const { key, spec } of truth.objects.all("Reservation").values()) {
    const owner = truth.objects.replica(spec.owner);
    const isUseful =
      owner?.meta.uid === spec.ownerUid &&
      owner.status.life === spec.life &&
      (owner.status.stage === "admitted" || owner.status.stage === "queued");
    if (!isUseful) {
      yield stuck(
        "LIV4",
        key,
        "held",
        `${key} is held for ${spec.owner} life ${spec.life}, which is gone.`,
      );
    }
  }
}

function* workloadsLeft(truth: Truth): Iterable<Unrest> {
  for (const { key, meta } of truth.objects.all("Workload").values()) {
    if (meta.deletingMs === undefined) continue;
    const left = truth.objects.replicasOf(key).size;
    yield stuck(
      "LIV4",
      key,
      `deleting with ${left}`,
      `${key} is being deleted and has ${left} replicas left.`,
    );
  }
}

function* replicasLeft(truth: Truth): Iterable<Unrest> {
  const draining = new Set<string>();
  for (const { meta, spec } of truth.objects.all("Node").values()) {
    if (spec.draining) draining.add(meta.name);
  }
  for (const replica of truth.objects.all("Replica").values()) {
    const { key, status } = replica;
    if (!isWanted(replica, truth)) {
      yield stuck("LIV4", key, stateOf(replica), `${key} is ${status.stage}, and nobody wants it.`);
    } else if (status.node !== undefined && draining.has(status.node)) {
      yield stuck(
        "LIV4",
        key,
        stateOf(replica),
        `${key} still holds ${status.node}, which is draining.`,
      );
    }
  }
}

function isWanted({ meta, spec }: Replica, truth: Truth): boolean {
  const workload = truth.objects.workload(workloadKey(meta.namespace, spec.workload));
  return (
    workload !== undefined &&
    workload.meta.uid === spec.workloadUid &&
    workload.meta.deletingMs === undefined &&
    workload.status.templateGeneration === spec.generation &&
    spec.slot < workload.spec.replicas
  );
}

function* slotsNotDone(truth: Truth): Iterable<Unrest> {
  for (const workload of truth.objects.all("Workload").values()) {
    if (workload.meta.deletingMs !== undefined) continue;
    for (let slot = 0; slot < workload.spec.replicas; slot += 1) {
      const found = slotNotDone(workload, slot, truth);
      if (found !== undefined) yield found;
    }
  }
}

function slotNotDone(workload: Workload, slot: number, truth: Truth): Unrest | undefined {
  const key = replicaKey({
    tenant: workload.meta.namespace,
    workload: workload.meta.name,
    generation: workload.status.templateGeneration,
    slot,
  });
  const replica = truth.objects.replica(key);
  if (replica === undefined)
    return stuck("LIV1", key, "none", `${key} is wanted and was never admitted.`);
  const { stage } = replica.status;
  if (stage === (workload.spec.type === "batch" ? "succeeded" : "serving")) return undefined;
  if (isHolding(replica)) return onItsNode(replica, truth);
  switch (stage) {
    case "admitted":
      return canReserve(replica, truth)
        ? couldMove(replica, "there is quota for it", 0)
        : owed(replica, truth);
    case "queued": {
      const node = feasibleNodes(truth.objects, replica)[0];
      return node ? couldMove(replica, `${node.meta.name} can take it`, 0) : owed(replica, truth);
    }
    case "failed":
      return couldMove(replica, "its restart is due", restartDelayMs(replica.status.failures));
    default:
      return couldMove(replica, "the slot is wanted", 0);
  }
}

/** A replica that has its node needs only time: to start, and for a batch to run. */
function onItsNode(replica: Replica, truth: Truth): Unrest {
  const { node, stage } = replica.status;
  const { startUpMs, batchRunMs } = truth.world;
  const workMs = startUpMs + (replica.spec.type === "batch" ? batchRunMs : 0);
  // On a machine that is off nothing can be asked of anybody; the node's own rules decide what happens.
  const patienceMs = truth.isNodeUp(node ?? "") ? STALL_MS + workMs : Infinity;
  return {
    rule: "LIV3",
    key: replica.key,
    stuckAs: stateOf(replica),
    patienceMs,
    message: `${replica.key} holds ${node} and is still ${stage}.`,
  };
}

function canReserve(replica: Replica, truth: Truth): boolean {
  for (const { spec } of truth.objects.all("Reservation").values()) {
    if (spec.owner === replica.key && spec.life === replica.status.life) return true;
  }
  const free = freeQuota(truth.objects, replica.meta.namespace);
  return free !== undefined && fitsInto(replica.spec.template.ask.amounts, free);
}

/**
 * What cannot go on must at least be waited for by somebody who will look again: a queued replica by a
 * scheduler under its own key, an admitted one under its own or its workload's.
 */
function owed(replica: Replica, truth: Truth): Unrest | undefined {
  const { key, meta, spec, status } = replica;
  const other = status.stage === "admitted" ? workloadKey(meta.namespace, spec.workload) : key;
  for (const client of truth.clients()) {
    if (client.owed.some((entry) => entry.key === key || entry.key === other)) return undefined;
  }
  const message = `${key} is ${status.stage} and cannot go on, and nobody owes it another look.`;
  return stuck("LIV2", key, stateOf(replica), message);
}

function couldMove(replica: Replica, why: string, delayMs: number): Unrest {
  const { key, status } = replica;
  const found = stuck(
    "LIV1",
    key,
    stateOf(replica),
    `${key} life ${status.life} is still ${status.stage}, though ${why}.`,
  );
  return { ...found, patienceMs: STALL_MS + delayMs };
}

function restartDelayMs(failures: number): number {
  let delayMs = FIRST_RESTART_MS;
  for (let failure = 1; failure < failures && delayMs < LAST_RESTART_MS; failure += 1) delayMs *= 2;
  return Math.min(delayMs, LAST_RESTART_MS);
}

const stateOf = ({ status }: Replica): string => `${status.stage} in life ${status.life}`;

const stuck = (rule: Unrest["rule"], key: ObjectKey, stuckAs: string, message: string): Unrest => ({
  rule,
  key,
  stuckAs,
  patienceMs: STALL_MS,
  message,
});
