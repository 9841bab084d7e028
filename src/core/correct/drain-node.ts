/**
 * Empties a node that is being drained: asks every replica on it to stop, as fast as their
 * workloads can spare them. Nothing new arrives meanwhile, because the authority refuses binds to a
 * draining node; the agent stops the processes, and the freed indexes are placed elsewhere. Who
 * cannot be spared is waited for until the deadline of the drain, if it has one; whether that has
 * passed is the authority's check (MT3).
 */
import { countAre, countText } from "../model/text/count-text.ts";
import type { Intent } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { nodeKey, type ObjectKey } from "../model/ids.ts";
import type { Node, Replica } from "../model/objects.ts";
import { workloadOf } from "../model/workload-of.ts";
import type { DrainProgress } from "../model/node/drain.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../model/timing.ts";
import { isAvailable } from "../model/availability.ts";
import { objectFact } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";
import { whoMayLeave } from "../rules/who-may-leave.ts";
import { overridesInForce } from "../rules/override/overrides-in-force.ts";
import { sift, waitForOverride } from "../rules/override/wait-for-override.ts";
import { drainOverOperation, evictOperation } from "../protocol/operations.ts";

const PATIENCE_MS = 15_000;

/** Drains with a deadline that this controller has seen, and since when, by its own clock. */
export type SeenDrains = Map<ObjectKey, { readonly generation: number; readonly seenMs: number }>;

export function createDrainNode(): Controller {
  const draining = new Set<ObjectKey>();
  const seen: SeenDrains = new Map();
  return {
    role: "drain-node",
    interest: { kinds: new Set(["Node", "Replica", "Workload", "Override"]), node: undefined },
    follow: ({ key, before, after }) => {
      if ((after ?? before)?.kind !== "Node") return;
      if (after?.kind === "Node" && after.spec.draining) draining.add(key);
      else draining.delete(key);
    },
    keysFor: (change) => keysFor(change, draining),
    allKeys: (view) => [...view.objects.all("Node").keys()],
    reconcile: (key, view, look) => drainNode(key, view, { look, seen }),
  };
}

function keysFor(
  { before, after }: Change,
  draining: ReadonlySet<ObjectKey>,
): readonly ObjectKey[] {
  const object = after ?? before;
  if (object?.kind === "Node") return [object.key];
  // Anybody who comes to serve elsewhere may be what a workload lacked to spare one here.
  if (object?.kind === "Workload" || isRaise(object)) return [...draining];
  if (object?.kind !== "Replica") return [];
  // Of the nodes only those that are being drained need a look; nearly every change is of another.
  const { node } = object.status;
  const itsNode = node === undefined || draining.size === 0 ? undefined : nodeKey(node);
  const own = itsNode !== undefined && draining.has(itsNode) ? [itsNode] : [];
  if (draining.size === 0) return own;
  return isMissedNoMore(before, after) ? [...new Set([...own, ...draining])] : own;
}

/** It serves now, or is gone. */
function isMissedNoMore(before: Change["before"], after: Change["after"]): boolean {
  const couldServe = before?.kind === "Replica" && isAvailable(before);
  return !couldServe && (after === undefined || (after.kind === "Replica" && isAvailable(after)));
}

/** More may go than before, or fewer. */
const isRaise = (object: Change["after"]): boolean =>
  object?.kind === "Override" && object.spec.action === "raise-budget";

interface DrainLook {
  readonly look: Look;
  readonly seen: SeenDrains;
}

export function drainNode(key: ObjectKey, view: View, { look, seen }: DrainLook): Decision {
  const node = view.objects.node(key);
  if (node?.status.drain === undefined) seen.delete(key);
  if (node === undefined || !node.spec.draining) return settled;
  const name = node.meta.name;
  const count = view.objects.replicasOn(name).size;
  if (count === 0) return settled;
  const { drain } = node.status;
  const isOver = drain?.overMs !== undefined;
  const isForced = isOver && node.spec.drain?.atDeadline === "force";
  // Who remained at the deadline was told that they stay; those who leave, leave.
  if (isOver && !isForced) return settled;
  const may = whoMayLeave(view.objects, name);
  const leave = isForced ? [...may.leave, ...may.stay].toSorted(byKey) : may.leave;
  const stay = isForced ? [] : may.stay;
  const evictions = leave.map((each) => eviction(each, name, isForced ? "drain-forced" : "drain"));
  const { free, holders, heldCount } = sift(
    view.objects,
    evictions,
    overridesInForce(view.objects),
  );
  if (free.length > 0) {
    const because = isForced ? "whose deadline has passed" : "which is draining";
    return propose(free, {
      summary: `${countAre(free.length, "replica")} evicted from ${name}, ${because}`,
    });
  }
  // Who is held there is waited for like who cannot be spared: the drain's own deadline goes on
  // (OV7).
  const left = stay.length + heldCount;
  const dueMs = isForced || left === 0 ? undefined : dueOf(node, { look, seen });
  if (dueMs !== undefined && look.now >= dueMs) return over(node, left);
  if (heldCount > 0) {
    const what = `${countText(heldCount, "replica")} ${heldCount === 1 ? "stays" : "stay"} on ${name}`;
    return noLaterThan(waitForOverride(key, look, { holders, count: heldCount, what }), dueMs);
  }
  return stay.length > 0
    ? untilSpared(node, stay, { look, dueMs })
    : untilStopped(name, count, look);
}

const untilStopped = (name: string, count: number, look: Look): Decision =>
  wait({
    reason: "stopping",
    wakes: [],
    deadlineMs: look.now + PATIENCE_MS,
    because: { summary: `the agent of ${name} is stopping ${countText(count, "replica")}` },
  });

const noLaterThan = (decision: Decision, atMs: number | undefined): Decision =>
  decision.kind === "wait" && atMs !== undefined
    ? { ...decision, deadlineMs: Math.min(decision.deadlineMs, atMs) }
    : decision;

function over(node: Node, left: number): Decision {
  const { name } = node.meta;
  const { drain } = node.status;
  if (drain === undefined) return settled;
  const { generation } = drain;
  return propose(
    [{ kind: "drain-over", operation: drainOverOperation(node, drain), node: name, generation }],
    { summary: `the drain deadline of ${name} has passed with ${countText(left, "replica")} left` },
  );
}

function untilSpared(
  { meta: { name } }: Node,
  stay: readonly Replica[],
  { look, dueMs }: { readonly look: Look; readonly dueMs: number | undefined },
): Decision {
  const workloads = [...new Set(stay.map(workloadOf))];
  const patienceMs = look.now + PATIENCE_MS;
  return wait({
    reason: "disruption-budget",
    wakes: workloads.map(objectFact),
    deadlineMs: dueMs === undefined ? patienceMs : Math.min(patienceMs, dueMs),
    because: {
      summary: `${countText(stay.length, "replica")} ${stay.length === 1 ? "stays" : "stay"} on ${name} until the disruption budget of ${workloads.join(", ")} allows eviction`,
    },
  });
}

/**
 * On this controller's own clock, from when it saw the drain begin; undefined without a deadline.
 */
function dueOf({ key, spec, status }: Node, drained: DrainLook): number | undefined {
  const deadlineMs = spec.drain?.deadlineMs;
  if (status.drain === undefined || deadlineMs === undefined) return undefined;
  // Our clock may be fast by the bound and the authority's slow by it; asking early would only be
  // refused.
  const patienceMs = deadlineMs + Math.ceil((2 * deadlineMs * DRIFT_PARTS_PER_THOUSAND) / 1000);
  return seenSince(key, status.drain, drained) + patienceMs;
}

function seenSince(
  key: ObjectKey,
  { generation }: DrainProgress,
  { look, seen }: DrainLook,
): number {
  const known = seen.get(key);
  if (known?.generation === generation) return known.seenMs;
  seen.set(key, { generation, seenMs: look.now });
  return look.now;
}

const byKey = (a: Replica, b: Replica): number => (a.key < b.key ? -1 : 1);

export const eviction = (
  replica: Replica,
  node: string,
  kind: "drain" | "drain-forced",
): Intent => ({
  kind: "evict",
  operation: evictOperation(replica, "drain"),
  replica: replica.key,
  incarnation: replica.status.incarnation,
  evidence: { kind, node },
});
