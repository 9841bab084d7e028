/** Replicas that a workload might be scaled up by, to ask how many more would find a place. */
import { replicaKey, type Uid } from "../../core/model/ids.ts";
import type { Replica, Workload } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";

/** Beyond the indexes that it has, so that none of them is taken for one that is there. */
export function nextIndexOf(objects: ObjectIndex, { key }: Workload): number {
  let next = 0;
  for (const { spec } of objects.replicasOf(key).values()) next = Math.max(next, spec.index + 1);
  return next;
}

export function moreReplica({ meta, spec, status }: Workload, index: number): Replica {
  const { namespace: tenant, name: workload } = meta;
  const generation = status.templateGeneration;
  const key = replicaKey({ tenant, workload, generation, index });
  return {
    kind: "Replica",
    key,
    meta: { ...meta, name: `${workload}.${generation}.${index}`, uid: key as string as Uid },
    spec: {
      workload,
      workloadUid: meta.uid,
      generation,
      index,
      type: spec.type,
      template: spec.template,
    },
    status: {
      stage: "queued",
      stageSinceMs: 0,
      incarnation: 1,
      failures: 0,
      node: undefined,
      session: 0,
      deviceIds: [],
      stopping: undefined,
    },
  };
}
