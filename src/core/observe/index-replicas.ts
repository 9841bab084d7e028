/**
 * The replicas of one index. There is one, but for an index whose replica was replaced although it
 * may still run: then there are two, under the index's two names, and at most one of them is the
 * index's own (DC3).
 */
import {
  type ObjectKey,
  replicaKey,
  secondReplicaKey,
  type IndexOfGeneration,
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

export interface IndexReplicas {
  /** Under which name the index's own replica is, or would be made. */
  readonly key: ObjectKey;
  /**
   * The index's own; undefined before its first incarnation, and while the only one there is was
   * replaced.
   */
  readonly own: Replica | undefined;
  /**
   * The number of its next incarnation. Incarnations are counted per index, so that no two of them
   * are one intent.
   */
  readonly nextIncarnation: number;
}

export function indexReplicas(objects: Replicas, named: IndexOfGeneration): IndexReplicas {
  const firstKey = replicaKey(named);
  const first = objects.replica(firstKey);
  const second =
    objects.secondReplicas === 0 ? undefined : objects.replica(secondReplicaKey(named));
  const own = ownOf(first, second);
  const free = first === undefined ? firstKey : secondReplicaKey(named);
  return {
    key: own?.key ?? free,
    own,
    nextIncarnation: Math.max(incarnationsOf(first), incarnationsOf(second)) + 1,
  };
}

/** One that was replaced and has ended is the index's own again when there is no other. */
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
    : Math.max(replica.status.incarnation, replica.status.indexIncarnations ?? 0);

/** The replica under the index's other name. */
export function otherOf(objects: Replicas, { meta, spec, key }: Replica): Replica | undefined {
  if (objects.secondReplicas === 0) return undefined;
  const { workload, generation, index } = spec;
  const of = { tenant: meta.namespace, workload, generation, index };
  const first = replicaKey(of);
  const other = objects.replica(key === first ? secondReplicaKey(of) : first);
  return other?.spec.workloadUid === spec.workloadUid ? other : undefined;
}

/** Whether it stands for its index: it was not replaced, or it has ended and there is no other. */
export const isIndexesOwn = (objects: Replicas, replica: Replica): boolean =>
  replica.status.superseded === undefined ||
  (isResting(replica.status.stage) && otherOf(objects, replica) === undefined);

export function nextIncarnation(
  objects: Replicas,
  { meta: { namespace: tenant, name: workload } }: Workload,
  generation: number,
  index: number,
): number {
  return indexReplicas(objects, { tenant, workload, generation, index }).nextIncarnation;
}

/** Whether it was replaced, has ended, and its index has another: it is not needed again. */
export const isSpent = (objects: Replicas, replica: Replica): boolean =>
  replica.status.superseded !== undefined &&
  isResting(replica.status.stage) &&
  otherOf(objects, replica) !== undefined;
