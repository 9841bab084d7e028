/** `Workload/payments/api`: a service of one replica, unless told otherwise. */
import { workloadKey } from "../../src/core/model/ids.ts";
import type { Meta, Workload, WorkloadSpec, WorkloadStatus } from "../../src/core/model/objects.ts";
import { aMeta } from "./a-meta.ts";
import { aTemplate, type TemplateParts } from "./a-template.ts";

export type WorkloadSpecParts = TemplateParts &
  Partial<
    Pick<
      WorkloadSpec,
      "type" | "replicas" | "gang" | "rollout" | "disruption" | "batch" | "recovery"
    >
  >;

export type WorkloadParts = WorkloadSpecParts &
  Partial<Pick<Meta, "name" | "uid" | "generation" | "revision" | "finalizers" | "deletingMs">> & {
    readonly tenant?: string;
    readonly templateGeneration?: number;
    readonly status?: Partial<WorkloadStatus>;
  };

export const aWorkloadSpec = (of: WorkloadSpecParts = {}): WorkloadSpec => ({
  type: of.type ?? "service",
  replicas: of.replicas ?? of.batch?.completions ?? 1,
  template: aTemplate(of),
  ...(of.disruption === undefined ? {} : { disruption: of.disruption }),
  ...(of.gang === undefined ? {} : { gang: of.gang }),
  ...(of.rollout === undefined ? {} : { rollout: of.rollout }),
  ...(of.batch === undefined ? {} : { batch: of.batch }),
  ...(of.recovery === undefined ? {} : { recovery: of.recovery }),
});

export function aWorkload(of: WorkloadParts = {}): Workload {
  const { tenant = "payments", name = "api", templateGeneration = 1, deletingMs } = of;
  const key = workloadKey(tenant, name);
  const meta = aMeta(key, { deletingMs });
  return {
    kind: "Workload",
    key,
    meta: {
      ...meta,
      uid: of.uid ?? meta.uid,
      generation: of.generation ?? templateGeneration,
      revision: of.revision ?? 1,
      finalizers: of.finalizers ?? [],
    },
    spec: aWorkloadSpec(of),
    status: { templateGeneration, ...of.status },
  };
}
