/**
 * The key of the workload a replica belongs to. It is asked at every change of every replica, so
 * the text is made once per workload: the same text again is also found faster in every map that is
 * keyed by it.
 */
import { type ObjectKey, workloadKey } from "./ids.ts";
import type { Replica } from "./objects.ts";

/** More workloads than a plane is likely to have at once; beyond it the texts are made again. */
const KEYS_KEPT = 200_000;

const byTenant = new Map<string, Map<string, ObjectKey>>();
let kept = 0;

export function workloadOf({ meta, spec }: Replica): ObjectKey {
  const known = byTenant.get(meta.namespace)?.get(spec.workload);
  return known ?? remember(meta.namespace, spec.workload);
}

function remember(tenant: string, workload: string): ObjectKey {
  if (kept === KEYS_KEPT) {
    byTenant.clear();
    kept = 0;
  }
  const key = workloadKey(tenant, workload);
  const ofTenant = byTenant.get(tenant);
  if (ofTenant === undefined) byTenant.set(tenant, new Map([[workload, key]]));
  else ofTenant.set(workload, key);
  kept += 1;
  return key;
}
