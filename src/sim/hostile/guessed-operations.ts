/**
 * The operation ids that honest senders are about to use, as an attacker would guess them who has
 * read the source and sees every object: ids consist of keys, uids, incarnations and revisions,
 * which are all predictable.
 */
import type { OperationId } from "../../core/model/ids.ts";
import type { Replica, Workload } from "../../core/model/objects.ts";
import type { View } from "../../core/observe/view.ts";
import {
  admitOperation,
  bindAllOperation,
  bindOperation,
  deleteOperation,
  enqueueOperation,
  evictOperation,
  finalizeOperation,
  finishOperation,
  releaseOperation,
  reportOperation,
} from "../../core/protocol/operations.ts";

export function guessedOperations(
  view: View,
  isTarget: (object: Workload | Replica) => boolean,
): readonly OperationId[] {
  const guesses: OperationId[] = [];
  for (const workload of inOrder(view.objects.all("Workload").values())) {
    if (isTarget(workload)) guesses.push(...ofWorkload(view, workload));
  }
  for (const replica of inOrder(view.objects.all("Replica").values())) {
    if (isTarget(replica)) guesses.push(...ofReplica(replica));
  }
  return guesses;
}

function ofWorkload(view: View, workload: Workload): readonly OperationId[] {
  const generation = workload.status.templateGeneration;
  const { replicas } = workload.spec;
  const first = Array.from({ length: replicas }, (_, index) => ({ index, incarnation: 1 }));
  const next = inOrder(view.objects.replicasOf(workload.key).values()).map(({ spec, status }) => ({
    index: spec.index,
    incarnation: status.incarnation + 1,
  }));
  return [
    enqueueOperation(workload, generation, first),
    ...first.map((index) => admitOperation(workload, generation, index)),
    ...next.flatMap((index) => [
      enqueueOperation(workload, generation, [index]),
      admitOperation(workload, generation, index),
    ]),
    finishOperation(workload, "succeeded"),
    deleteOperation(workload),
    finalizeOperation(workload),
  ];
}

function ofReplica(replica: Replica): readonly OperationId[] {
  const { incarnation } = replica.status;
  const next = { ...replica, status: { ...replica.status, incarnation: incarnation + 1 } };
  switch (replica.status.stage) {
    case "admitted":
    case "queued":
      return [bindOperation(replica), bindAllOperation([replica])];
    case "succeeded":
    case "failed":
    case "released":
      return [bindOperation(next), bindAllOperation([next]), deleteOperation(replica)];
    default:
      return [
        ...(
          ["starting", "ready", "serving", "running", "failed", "succeeded", "released"] as const
        ).map((stage) => reportOperation(replica, stage)),
        evictOperation(replica, "surplus"),
        releaseOperation(replica),
        deleteOperation(replica),
      ];
  }
}

/** The index has no order that a run may depend on. */
export const inOrder = <T extends { readonly key: string }>(objects: Iterable<T>): readonly T[] =>
  [...objects].toSorted((a, b) => (a.key < b.key ? -1 : 1));
