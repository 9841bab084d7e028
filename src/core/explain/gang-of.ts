/** The gang of a replica, as far as it still has to be placed: all of it at once (GA1). */
import { replicaKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";
import { workloadOf } from "../model/workload-of.ts";
import { gangMembers } from "../observe/gang-members.ts";
import type { ObjectIndex } from "../observe/object-index.ts";

export interface Gang {
  /** Those without a node, in the order of their indexes, as they will be queued. */
  readonly members: readonly Replica[];
  /** How many of them hold no quota yet. */
  readonly unqueued: number;
}

/** Undefined: it is no member of a gang, or of an earlier template of one. */
export function gangOf(objects: ObjectIndex, replica: Replica): Gang | undefined {
  const workload = objects.workload(workloadOf(replica));
  if (workload?.spec.gang === undefined) return undefined;
  if (workload.status.templateGeneration !== replica.spec.generation) return undefined;
  if (workload.meta.uid !== replica.spec.workloadUid) return undefined;
  const { queued, missing } = gangMembers(workload, objects);
  const members = [...queued, ...missing.map((index) => memberAt(objects, replica, index))];
  return {
    members: members.toSorted((a, b) => a.spec.index - b.spec.index),
    unqueued: missing.length,
  };
}

function memberAt(objects: ObjectIndex, replica: Replica, index: number): Replica {
  const { namespace: tenant } = replica.meta;
  const { workload, generation } = replica.spec;
  const key = replicaKey({ tenant, workload, generation, index });
  const { meta, status } = objects.replica(key) ?? replica;
  return {
    ...replica,
    key,
    meta: { ...replica.meta, uid: meta.uid, name: `${workload}.${generation}.${index}` },
    spec: { ...replica.spec, index },
    status: {
      ...status,
      stage: "queued",
      node: undefined,
      deviceIds: [],
      stopping: undefined,
    },
  };
}
