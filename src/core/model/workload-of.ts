/** The key of the workload a replica belongs to: asked at every change of a replica, so it is made once per spec. */
import { type ObjectKey, workloadKey } from "./ids.ts";
import type { Replica, ReplicaSpec } from "./objects.ts";

const keys = new WeakMap<ReplicaSpec, ObjectKey>();

export function workloadOf({ meta, spec }: Replica): ObjectKey {
  const known = keys.get(spec);
  if (known !== undefined) return known;
  const key = workloadKey(meta.namespace, spec.workload);
  keys.set(spec, key);
  return key;
}
