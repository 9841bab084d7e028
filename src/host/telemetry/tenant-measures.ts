/**
 * The replicas of each tenant by stage, kept up to date with every commit, so that a scrape of one
 * tenant's series costs no look at those of others.
 */
import type { Replica } from "../../core/model/objects.ts";
import { type Stage, STAGES } from "../../core/model/stage.ts";
import { type MetricFamily, type Sample, sample } from "./metric-family.ts";

export class TenantMeasures {
  private readonly stages = new Map<string, Map<Stage, number>>();

  fold(before: Replica | undefined, after: Replica | undefined): void {
    if (before?.status.stage === after?.status.stage) return;
    if (before !== undefined) this.count(before, -1);
    if (after !== undefined) this.count(after, 1);
  }

  replicasOf(tenant: string, stage: Stage): number {
    return this.stages.get(tenant)?.get(stage) ?? 0;
  }

  private count({ meta, status }: Replica, by: 1 | -1): void {
    const { namespace: tenant } = meta;
    const own = this.stages.get(tenant) ?? new Map<Stage, number>();
    const left = (own.get(status.stage) ?? 0) + by;
    if (left === 0) own.delete(status.stage);
    else own.set(status.stage, left);
    if (own.size === 0) this.stages.delete(tenant);
    else this.stages.set(tenant, own);
  }
}

/** What a tenant's series are made of; left out: the caller may not see it. */
export interface SeenTenant {
  readonly tenant: string;
  readonly seesReplicas: boolean;
  readonly load: { readonly workloads: number; readonly replicas: number } | undefined;
}

const gauge = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
  name,
  help,
  type: "gauge",
  samples,
});

/** Of these tenants and no other; none of the numbers is a sum over tenants. */
export function tenantFamilies(
  tenants: readonly SeenTenant[],
  measures: TenantMeasures,
): readonly MetricFamily[] {
  const loads = tenants.flatMap(({ tenant, load }) =>
    load === undefined ? [] : [{ tenant, load }],
  );
  return [
    gauge(
      "berth_tenant_replicas",
      "Replicas of a tenant, by stage.",
      tenants
        .filter(({ seesReplicas }) => seesReplicas)
        .flatMap(({ tenant }) =>
          STAGES.map((stage) => sample(measures.replicasOf(tenant, stage), { tenant, stage })),
        ),
    ),
    gauge(
      "berth_tenant_workloads",
      "Workloads of a tenant.",
      loads.map(({ tenant, load }) => sample(load.workloads, { tenant })),
    ),
    gauge(
      "berth_tenant_replicas_wanted",
      "Replicas that the workloads of a tenant ask for.",
      loads.map(({ tenant, load }) => sample(load.replicas, { tenant })),
    ),
  ];
}
