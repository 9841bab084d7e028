/**
 * The replicas of one slot. There is one, but for a slot whose replica was replaced although it may
 * still run: then there are two, under the slot's two names, and at most one of them is the slot's
 * own (DC3).
 */
import {
  type ObjectKey,
  replicaKey,
  secondReplicaKey,
  type SlotOfGeneration,
} from "../model/ids.ts";
import type { Replica, Workload } from "../model/objects.ts";
import { isResting } from "../model/stage.ts";

interface Replicas {
  replica(key: ObjectKey): Replica | undefined;
  /**
   * How many replicas there are under a second name; nearly always none, and then there is no
   * search.
   */
  readonly secondReplicas: number;
}

export interface SlotReplicas {
  /** Under which name the slot's own replica is, or would be made. */
  readonly key: ObjectKey;
  /**
   * The slot's own; undefined before its first incarnation, and while the only one there is was
   * replaced.
   */
  readonly own: Replica | undefined;
  /**
   * The number of its next incarnation. Incarnations are counted per slot, so that no two of them
   * are one intent.
   */
  readonly nextIncarnation: number;
}

export function slotReplicas(objects: Replicas, of: SlotOfGeneration): SlotReplicas {
  const firstKey = replicaKey(of);
  const first = objects.replica(firstKey);
  const second = objects.secondReplicas === 0 ? undefined : objects.replica(secondReplicaKey(of));
  const own = ownOf(first, second);
  const free = first === undefined ? firstKey : secondReplicaKey(of);
  return {
    key: own?.key ?? free,
    own,
    nextIncarnation: Math.max(incarnationsOf(first), incarnationsOf(second)) + 1,
  };
}

/** One that was replaced and has ended is the slot's own again when there is no other. */
function ownOf(first: Replica | undefined, second: Replica | undefined): Replica | undefined {
  if (first !== undefined && first.status.superseded === undefined) return first;
  if (second !== undefined && second.status.superseded === undefined) return second;
  const left = first ?? second;
  const isAlone = first === undefined || second === undefined;
  return isAlone && left !== undefined && isResting(left.status.stage) ? left : undefined;
}

const incarnationsOf = (replica: Replica | undefined): number =>
  replica === undefined
    ? 0
    : Math.max(replica.status.incarnation, replica.status.slotIncarnations ?? 0);

/** The replica under the slot's other name. */
export function otherOf(objects: Replicas, { meta, spec, key }: Replica): Replica | undefined {
  if (objects.secondReplicas === 0) return undefined;
  const { workload, generation, slot } = spec;
  const of = { tenant: meta.namespace, workload, generation, slot };
  const first = replicaKey(of);
  const other = objects.replica(key === first ? secondReplicaKey(of) : first);
  return other?.spec.workloadUid === spec.workloadUid ? other : undefined;
}

/** Whether it stands for its slot: it was not replaced, or it has ended and there is no other. */
export const isSlotsOwn = (objects: Replicas, replica: Replica): boolean =>
  replica.status.superseded === undefined ||
  (isResting(replica.status.stage) && otherOf(objects, replica) === undefined);

export function nextIncarnation(
  objects: Replicas,
  { meta: { namespace: tenant, name: workload } }: Workload,
  generation: number,
  slot: number,
): number {
  return slotReplicas(objects, { tenant, workload, generation, slot }).nextIncarnation;
}

/** Whether it was replaced, has ended, and its slot has another: it is not needed again. */
export const isSpent = (objects: Replicas, replica: Replica): boolean =>
  replica.status.superseded !== undefined &&
  isResting(replica.status.stage) &&
  otherOf(objects, replica) !== undefined;
