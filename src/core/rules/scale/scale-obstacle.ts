/**
 * Why more replicas of a workload would not serve more: some of those it has are waiting for
 * something that more would wait for, too. The authority only has to know that there are such
 * (AS6); people are told which of the reasons it is, and of those only a lack of room is one that
 * more machines would help against.
 */
import { SLOW_START_MS } from "../../model/autoscaler.ts";
import type { Replica, Workload } from "../../model/objects.ts";
import { ROOM_RULES } from "../feasibility/feasibility.ts";
import { obstaclesOf, surroundingsOf } from "../obstacles/obstacles.ts";
import { quotaShort } from "../../observe/accounts/quota-room.ts";
import { isWanted } from "../../model/availability.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { regionQuota } from "../obstacles/region-quota.ts";

/**
 * "capacity": nodes would take it if they had room. "topology": none would, whatever room it had.
 * "stale-view": there is room, and quota; its scheduler has not seen that yet. "starting": it is
 * bound, and slow to serve.
 */
export const SCALE_OBSTACLES = [
  "failing",
  "quota",
  "topology",
  "capacity",
  "stale-view",
  "starting",
] as const;
export type ScaleObstacle = (typeof SCALE_OBSTACLES)[number];

export interface Obstructed {
  readonly reason: ScaleObstacle;
  /** How many are like that. */
  readonly count: number;
  readonly text: string;
}

export interface PendingReplicas {
  readonly failing: readonly Replica[];
  /** Indexes that are not in the queue yet. */
  readonly unqueued: number;
  readonly queued: readonly Replica[];
  readonly slow: readonly Replica[];
}

/** `nowMs` is on the clock that stages are timed by: the authority's. */
export function pendingOf(
  objects: ObjectIndex,
  workload: Workload,
  nowMs: number,
): PendingReplicas {
  const failing: Replica[] = [];
  const queued: Replica[] = [];
  const slow: Replica[] = [];
  let unqueued = 0;
  let there = 0;
  for (const replica of objects.replicasOf(workload.key).values()) {
    if (!isWanted(replica, workload)) continue;
    const { stage, stageSinceMs, unready } = replica.status;
    there += 1;
    if (stage === "admitted" || stage === "released") unqueued += 1;
    if (stage === "failed") failing.push(replica);
    if (stage === "queued") queued.push(replica);
    const isStarting = (stage === "bound" || stage === "starting") && unready === undefined;
    if (isStarting && nowMs - stageSinceMs >= SLOW_START_MS) slow.push(replica);
  }
  // On the way to another template indexes come and go by the rollout's own bounds.
  const isRolling = workload.status.rollout !== undefined;
  if (!isRolling) unqueued += Math.max(0, workload.spec.replicas - there);
  return { failing, unqueued, queued, slow };
}

export const pendingCount = ({ failing, unqueued, queued, slow }: PendingReplicas): number =>
  failing.length + unqueued + queued.length + slow.length;

/** Undefined: more could serve. */
export function obstructedBy(
  objects: ObjectIndex,
  workload: Workload,
  nowMs: number,
): Obstructed | undefined {
  const { failing, unqueued, queued, slow } = pendingOf(objects, workload, nowMs);
  if (failing.length > 0) {
    return obstructed("failing", failing.length, "has failed and waits to restart");
  }
  if (unqueued > 0) return unqueuedBy(objects, workload, unqueued);
  const [first] = queued.toSorted((a, b) => a.spec.index - b.spec.index);
  if (first !== undefined) return queuedBy(objects, first, queued.length);
  return slow.length === 0
    ? undefined
    : obstructed("starting", slow.length, `has a node and does not serve yet: slow start`);
}

const obstructed = (reason: ScaleObstacle, count: number, what: string): Obstructed => ({
  reason,
  count,
  text: `${count === 1 ? "a replica" : `each of ${count} replicas`} ${what}`,
});

function unqueuedBy(objects: ObjectIndex, { meta, spec }: Workload, count: number): Obstructed {
  const { ask, priorityClass } = spec.template;
  const of = { tenant: meta.namespace, priorityClass, amounts: ask.amounts };
  const short = quotaShort(objects, of);
  return short === undefined
    ? obstructed("stale-view", count, "is not in the queue, although its tenant has quota")
    : obstructed("quota", count, `waits for quota of tenant ${meta.namespace}`);
}

const ROOM: ReadonlySet<string> = new Set(ROOM_RULES.map(({ name }) => name));

/** The result for the first of them counts for all: they ask for the same. */
function queuedBy(objects: ObjectIndex, replica: Replica, count: number): Obstructed {
  const nodes = [...objects.all("Node").values()];
  const around = surroundingsOf(replica, { objects, quotas: objects, nodes });
  const rules = new Set<string>();
  let isRoomShort = false;
  let isQuotaShort = false;
  for (const node of nodes) {
    const use = objects.useOf(node.meta.name);
    const found = obstaclesOf({ node, use, replica }, around).map(({ rule }) => rule);
    if (found.length === 0) {
      return obstructed("stale-view", count, `is not placed, although ${node.meta.name} has room`);
    }
    const lasting = found.filter((rule) => !ROOM.has(rule));
    if (lasting.length === 0) isRoomShort = true;
    else if (lasting.every((rule) => rule === regionQuota.name)) isQuotaShort = true;
    for (const rule of lasting) rules.add(rule);
  }
  if (isRoomShort) return obstructed("capacity", count, "fits on no node: all are full");
  if (isQuotaShort) return obstructed("quota", count, "waits for the quota of its regions");
  const named = [...rules].toSorted().join(", ") || "no nodes";
  return obstructed("topology", count, `may run on no node, by ${named}`);
}
