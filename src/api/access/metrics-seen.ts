/**
 * Which series of the plane a caller is shown. Series about the whole plane are sums over tenants,
 * and are for callers with a right to the path; others get series of the tenants whose replicas or
 * workloads they may list, and nothing that another tenant's work changes (AZ55).
 */
import type { PlaneTelemetry } from "../../host/telemetry/plane-telemetry.ts";
import { textOf } from "../../host/telemetry/metric-family.ts";
import { type SeenTenant, tenantFamilies } from "../../host/telemetry/tenant-measures.ts";
import type { Caller } from "../http/caller.ts";
import type { Authorizer } from "./authorizer.ts";
import { METRIC_LIMITS } from "./metric-limits.ts";

export const METRICS = { verb: "get", path: "/metrics" } as const;

/** Undefined: the caller has a right to the path. Throws if it sees no tenant either. */
export function metricsSeen(
  authorizer: Authorizer,
  caller: Caller,
  telemetry: PlaneTelemetry,
): string | undefined {
  if (!authorizer.decide(caller, METRICS).isAllowed) {
    const seen = tenantsSeen(authorizer, caller, telemetry);
    if (seen.length > 0) return textOf(tenantFamilies(seen, telemetry.tenants));
  }
  authorizer.require(caller, METRICS);
  return undefined;
}

function tenantsSeen(
  authorizer: Authorizer,
  caller: Caller,
  { plane: { objects } }: PlaneTelemetry,
): readonly SeenTenant[] {
  const seen: SeenTenant[] = [];
  for (const { meta } of objects.all("Tenant").values()) {
    const { name: tenant } = meta;
    const sees = (kind: "Replica" | "Workload"): boolean =>
      authorizer.canList(caller, kind, tenant);
    const seesReplicas = sees("Replica");
    const load = sees("Workload") ? { ...objects.tenantLoad.of(tenant) } : undefined;
    if (seesReplicas || load !== undefined) seen.push({ tenant, seesReplicas, load });
  }
  return seen
    .toSorted((a, b) => (a.tenant < b.tenant ? -1 : 1))
    .slice(0, METRIC_LIMITS.tenantsInMetrics.value);
}
