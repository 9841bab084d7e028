/** `Workload/payments/api`: a service of one replica, unless told otherwise. */
import { workloadKey } from "../../src/core/model/ids.ts";
import type { Meta, Workload, WorkloadSpec } from "../../src/core/model/objects.ts";
import { aMeta } from "./a-meta.ts";
import { aTemplate, type TemplateParts } from "./a-template.ts";

export type WorkloadSpecParts = TemplateParts &
  Partial<Pick<WorkloadSpec, "type" | "replicas" | "gang">>;

export type WorkloadParts = WorkloadSpecParts &
  Partial<Pick<Meta, "name" | "uid" | "generation" | "revision" | "finalizers" | "deletingMs">> & {
    readonly tenant?: string;
    readonly templateGeneration?: number;
  };

export const aWorkloadSpec = (of: WorkloadSpecParts = {}): WorkloadSpec => ({
  type: of.type ?? "service",
  replicas: of.replicas ?? 1,
  template: aTemplate(of),
  ...(of.gang === undefined ? {} : { gang: of.gang }),
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
    status: { templateGeneration },
  };
}
