/**
 * The one check of "does somebody hold this back". Controllers ask it of their view before they
 * send a command, the authority of the truth before it commits; they can differ in what they know,
 * never in what they mean.
 */
import { roomOf } from "../../model/reservation.ts";
import type { Intent } from "../../protocol/command.ts";
import { scaledWorkload } from "../../model/autoscaler.ts";
import type { Evidence } from "../../model/evidence.ts";
import { type ObjectKey, operationId, parseKey } from "../../model/ids.ts";
import { nodePoolKey } from "../../model/node/node-pool.ts";
import {
  isEverything,
  meansPlace,
  meansWorkload,
  type OverrideAction,
  type OverrideTarget,
} from "../../model/override.ts";
import type { Override, Replica, Reservation } from "../../model/objects.ts";
import { holdsNode } from "../../model/stage.ts";
import { isMoving } from "../../model/rollout.ts";
import { hasIndex } from "../../model/index-set.ts";
import { workloadOf } from "../../model/workload-of.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { indexReplicas } from "../../observe/index-replicas.ts";

/** The first of these that holds the intent back, if one does. */
export function heldByOverride(
  objects: ObjectIndex,
  intent: Intent,
  overrides: readonly Override[],
): Override | undefined {
  return overrides.find(({ spec }) => HOLDS[spec.action](intent, spec.target, objects));
}

type Holds = (intent: Intent, target: OverrideTarget, objects: ObjectIndex) => boolean;

const HOLDS: Readonly<Record<OverrideAction, Holds>> = {
  "avoid-zone": avoids,
  "avoid-node": avoids,
  "pause-expansion": pausesExpansion,
  "pause-repair": pausesRepair,
  pin: pins,
  // It lets more happen, never less: `rules/disruption.ts` counts it for a workload,
  // `rules/recovery/recovery-budgets-now.ts` for a region.
  "raise-budget": () => false,
  "freeze-tenant": freezes,
  "mark-partitioned": heldInPartition,
};

/** Nothing comes to the place; what is there stays (OV5). */
function avoids(intent: Intent, target: OverrideTarget, objects: ObjectIndex): boolean {
  if (intent.kind === "provision") return isNodeThere(target, intent, objects);
  return nodesNamed(intent).some((name) => {
    const node = objects.nodeNamed(name);
    return node !== undefined && meansPlace(target, { name, ...node.spec });
  });
}

/** A node that is asked for is where its pool says, and is not there yet. */
function isNodeThere(
  target: OverrideTarget,
  { pool, node }: Extract<Intent, { kind: "provision" }>,
  objects: ObjectIndex,
): boolean {
  const held = objects.get(nodePoolKey(pool));
  return held?.kind === "NodePool" && meansPlace(target, { name: node, ...held.spec });
}

function nodesNamed(intent: Intent): readonly string[] {
  switch (intent.kind) {
    case "bind":
    case "preempt":
      return [intent.node];
    case "bind-all":
      return intent.bindings.map(({ node }) => node);
    case "hold-recovery":
      return intent.rooms.map(({ node }) => node);
    default:
      return [];
  }
}

/**
 * No index begins that has not lived; one that was lost is given its next incarnation as ever
 * (OV6).
 */
function pausesExpansion(intent: Intent, target: OverrideTarget, objects: ObjectIndex): boolean {
  switch (intent.kind) {
    case "admit":
    case "enqueue": {
      if (!meansWorkload(target, parseKey(intent.workload))) return false;
      const indexes = intent.kind === "admit" ? [intent] : intent.indexes;
      const { workload, generation } = intent;
      return indexes.some(({ index }) =>
        isFirstIncarnation(objects, { workload, generation, index }),
      );
    }
    case "roll":
      return isStep(intent) && meansWorkload(target, parseKey(intent.workload));
    // Machines are shared: only a pause of everything includes them.
    case "provision":
      return isEverything(target);
    case "scale": {
      const autoscaler = objects.get(intent.autoscaler);
      if (intent.to < intent.from || autoscaler?.kind !== "Autoscaler") return false;
      return meansWorkload(target, parseKey(scaledWorkload(autoscaler)));
    }
    default:
      return false;
  }
}

/** An index that its rollout has begun already is one of another template that was there before. */
export function isFirstIncarnation(
  objects: ObjectIndex,
  named: { readonly workload: ObjectKey; readonly generation: number; readonly index: number },
): boolean {
  const { namespace: tenant, name } = parseKey(named.workload);
  const { generation, index } = named;
  const { nextIncarnation } = indexReplicas(objects, { tenant, workload: name, generation, index });
  if (nextIncarnation > 1) return false;
  const rollout = objects.workload(named.workload)?.status.rollout;
  const isBegun = isMoving(rollout) && rollout.to === generation && hasIndex(rollout.begun, index);
  return !isBegun;
}

/**
 * What moves indexes from one template to another, or gives up on it. That all of it serve is only
 * said.
 */
const isStep = ({ move }: Extract<Intent, { kind: "roll" }>): boolean => move.kind !== "finish";

/** Asked of replicas that somebody still wants. Unwanted replicas end as ever. */
const REPAIRS: ReadonlySet<Evidence["kind"]> = new Set([
  "drain",
  "drain-forced",
  "policy-rollback",
  "quota-reclaim",
  "quota-shrunk",
  "reconciled",
]);

/** Asked of replicas that are to go elsewhere. */
const MOVES: ReadonlySet<Evidence["kind"]> = new Set(["drain", "drain-forced", "policy-rollback"]);

/**
 * Nothing is released, replaced or evicted. What is known stays known: nodes are still fenced
 * (OV7).
 */
function pausesRepair(intent: Intent, target: OverrideTarget, objects: ObjectIndex): boolean {
  if (intent.kind === "evict") {
    return REPAIRS.has(intent.evidence.kind) && meansReplica(target, intent.replica, objects);
  }
  switch (intent.kind) {
    case "release":
      return meansReplica(target, intent.key, objects);
    case "unreserve":
      return intent.evidence.kind === "owner-gone" && meansReservation(target, intent.key, objects);
    // Only the lease tells when the processes of a deleted node are gone.
    case "expire": {
      const { kind, name } = parseKey(intent.key);
      return kind === "Lease" && (isEverything(target) || target.node === name);
    }
    default:
      return false;
  }
}

function meansReservation(target: OverrideTarget, key: ObjectKey, objects: ObjectIndex): boolean {
  const spec = objects.reservation(key)?.spec;
  if (spec === undefined || isEverything(target)) return spec !== undefined;
  const { owner, tenant } = spec;
  const node = objects.nodeNamed(roomOf(spec)?.node ?? "");
  if (node !== undefined && meansPlace(target, { name: node.meta.name, ...node.spec })) return true;
  const replica = objects.replica(owner);
  if (replica !== undefined) return meansWorkload(target, parseKey(workloadOf(replica)));
  return target.workload === undefined && target.tenant === tenant;
}

function meansReplica(target: OverrideTarget, key: ObjectKey, objects: ObjectIndex): boolean {
  const replica = objects.replica(key);
  return replica !== undefined && coversReplica(target, replica, objects);
}

export function coversReplica(
  target: OverrideTarget,
  replica: Replica,
  objects: ObjectIndex,
): boolean {
  const name = replica.status.node;
  if (name !== undefined && target.tenant === undefined) {
    const node = objects.nodeNamed(name)?.spec ?? { region: "", zone: "" };
    if (meansPlace(target, { name, region: node.region, zone: node.zone })) return true;
  }
  return meansWorkload(target, parseKey(workloadOf(replica)));
}

/** Its replicas stay where they are, as far as that is anybody's choice (OV8). */
function pins(intent: Intent, target: OverrideTarget, objects: ObjectIndex): boolean {
  switch (intent.kind) {
    case "preempt":
      return intent.victims.some(({ replica }) => meansReplica(target, replica, objects));
    case "evict":
      return MOVES.has(intent.evidence.kind) && meansReplica(target, intent.replica, objects);
    case "roll":
      return isStep(intent) && meansWorkload(target, parseKey(intent.workload));
    case "delete":
      return restarts(intent, target, objects);
    default:
      return false;
  }
}

/** A person deletes a replica that has a process, which then begins anew somewhere (ST90). */
function restarts(
  { key }: Extract<Intent, { kind: "delete" }>,
  target: OverrideTarget,
  objects: ObjectIndex,
): boolean {
  const replica = objects.replica(key);
  return replica !== undefined && holdsNode(replica.status.stage)
    ? coversReplica(target, replica, objects)
    : false;
}

/** Whether somebody keeps the replica where it is: no preemption then looks there. */
export const isPinned = (replica: Replica, overrides: readonly Override[]): boolean =>
  overrides.some(
    ({ spec }) =>
      (spec.action === "pin" || spec.action === "freeze-tenant") &&
      meansWorkload(spec.target, parseKey(workloadOf(replica))),
  );

/** Who keeps a rollout from going on, whatever its next step is. */
export const rolloutHolders = (
  objects: ObjectIndex,
  workload: ObjectKey,
  overrides: readonly Override[],
): readonly Override[] => {
  const operation = operationId("");
  const move = { kind: "fail", reason: "" } as const;
  const step = { kind: "roll", operation, workload, retargets: 0, move } as const;
  return overrides.filter((each) => heldByOverride(objects, step, [each]) !== undefined);
};

/**
 * Replicas stay, none is evicted for others, and no room is kept or given back (DG1, DG2). What may
 * be bound there is no yes or no of the place alone: `partitioned.ts` says it.
 */
function heldInPartition(intent: Intent, target: OverrideTarget, objects: ObjectIndex): boolean {
  switch (intent.kind) {
    case "preempt":
      return avoids(intent, target, objects);
    case "delete":
      return restarts(intent, target, objects);
    case "hold-recovery":
      return (
        avoids(intent, target, objects) ||
        intent.drop.some((key) => isRoomThere(target, objects.reservation(key), objects))
      );
    default:
      return pausesRepair(intent, target, objects);
  }
}

/** Whether the room is on a node of the place that is meant. */
function isRoomThere(
  target: OverrideTarget,
  held: Reservation | undefined,
  objects: ObjectIndex,
): boolean {
  const room = held && roomOf(held.spec);
  const node = objects.nodeNamed(room?.node ?? "");
  return node !== undefined && meansPlace(target, { name: node.meta.name, ...node.spec });
}

/**
 * Nothing of the tenant begins, and what runs is not asked to leave, since it would not be replaced
 * (OV10).
 */
function freezes(intent: Intent, target: OverrideTarget, objects: ObjectIndex): boolean {
  const isIts = (key: ObjectKey): boolean => parseKey(key).namespace === target.tenant;
  switch (intent.kind) {
    case "admit":
    case "enqueue":
      return isIts(intent.workload);
    case "reserve":
    case "bind":
      return isIts(intent.replica);
    case "bind-all":
      return intent.bindings.some(({ replica }) => isIts(replica));
    case "transition":
      return intent.to === "queued" && isIts(intent.key);
    case "hold-recovery":
      return intent.rooms.length > 0 && isIts(intent.workload);
    case "provision":
      return isIts(intent.workload);
    case "scale":
      return isIts(intent.autoscaler);
    case "release":
      return intent.evidence.kind === "replace-after" && isIts(intent.key);
    case "preempt":
      return isIts(intent.replica) || pins(intent, target, objects);
    default:
      return pins(intent, target, objects);
  }
}
