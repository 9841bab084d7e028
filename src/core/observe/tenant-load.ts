/**
 * How many workloads each tenant has, and how many replicas they ask for together: counted as
 * workloads come, change and go, because a put that added them up would make a flood of workloads
 * quadratic.
 */
import type { Workload } from "../model/objects.ts";

export interface Load {
  workloads: number;
  /**
   * A job asks for a replica for each of its completions: each leaves one behind until the job
   * goes.
   */
  replicas: number;
}

const NO_LOAD: Readonly<Load> = { workloads: 0, replicas: 0 };

export class TenantLoad {
  private readonly byTenant = new Map<string, Load>();

  of(tenant: string): Readonly<Load> {
    return this.byTenant.get(tenant) ?? NO_LOAD;
  }

  fold(held: Workload | undefined, after: Workload | undefined): void {
    const { namespace: tenant } = ((after ?? held) as Workload).meta;
    const load = this.byTenant.get(tenant) ?? { ...NO_LOAD };
    load.workloads += (after === undefined ? 0 : 1) - (held === undefined ? 0 : 1);
    load.replicas += (after?.spec.replicas ?? 0) - (held?.spec.replicas ?? 0);
    if (load.workloads === 0) this.byTenant.delete(tenant);
    else this.byTenant.set(tenant, load);
  }
}
