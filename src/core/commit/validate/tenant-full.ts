/**
 * How much a tenant may ask for at all, whatever its size (LB2, LB3): every workload and every
 * replica costs the plane memory and turns, however little CPU it wants. What makes a tenant's load
 * no greater is always accepted, so a tenant that is over a smaller count can get below it.
 */
import { LOAD_LIMITS } from "../../model/limits/load-limits.ts";
import { type ObjectKey, parseKey, tenantKey } from "../../model/ids.ts";
import type { CommitContext } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

export function tenantFull(
  { ledger: { objects } }: CommitContext,
  workload: ObjectKey,
  replicas: number,
): Rejection | undefined {
  const { namespace: tenant } = parseKey(workload);
  const held = objects.workload(workload);
  const load = objects.tenantLoad.of(tenant);
  const counts = objects.quotaUsage.of(tenant).spec?.counts;
  const { replicas: mostReplicas = LOAD_LIMITS.tenantReplicas.value } = counts ?? {};
  const { workloads: mostWorkloads = LOAD_LIMITS.tenantWorkloads.value } = counts ?? {};
  if (held === undefined && load.workloads + 1 > mostWorkloads) {
    const field = `${tenantKey(tenant)} workloads`;
    return reject("tenant-full", field, `at most ${mostWorkloads}`, load.workloads + 1);
  }
  const more = replicas - (held?.spec.replicas ?? 0);
  if (more <= 0 || load.replicas + more <= mostReplicas) return undefined;
  const field = `${tenantKey(tenant)} replicas`;
  return reject("tenant-full", field, `at most ${mostReplicas}`, load.replicas + more);
}
