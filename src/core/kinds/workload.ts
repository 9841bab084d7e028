/** Workload: what a tenant wants to run, how often, and where. */
import { scaledWorkload } from "../model/autoscaler.ts";
import { REPLICAS_FINALIZER } from "../model/finalizers.ts";
import type { ObjectKey } from "../model/ids.ts";
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";
import type { Autoscaler, Workload, WorkloadSpec } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import type { Rejection } from "../protocol/rejection.ts";
import { sparesOf } from "../rules/recovery/spare-rooms.ts";
import type { WrittenDefinition } from "./kind-definition.ts";
import { type Bad, isCount } from "./well-formed/malformed-amounts.ts";
import { malformedBatch } from "./well-formed/malformed-batch.ts";
import { malformedDisconnect } from "./well-formed/malformed-disconnect.ts";
import { malformedGang } from "./well-formed/malformed-gang.ts";
import { malformedRecovery } from "./well-formed/malformed-recovery.ts";
import { malformedRollout } from "./well-formed/malformed-rollout.ts";
import { malformedTemplate } from "./well-formed/malformed-template.ts";

const MOST_REPLICAS = LOAD_LIMITS.workloadReplicas.value;

export const workloadDefinition: WrittenDefinition<"Workload"> = {
  kind: "Workload",
  plural: "workloads",
  shortNames: ["wl"],
  scope: "tenant",
  goesWithTenant: true,
  writer: "people",
  deletedBy: "user",
  guard: { finalizer: REPLICAS_FINALIZER, lifter: "admit", from: "creation" },
  applyStep: 90,
  malformed: malformedWorkload,
  references: ({ template: { priorityClass } }) =>
    priorityClass === ""
      ? []
      : [{ key: `PriorityClass//${priorityClass}` as ObjectKey, mustStay: false }],
  /** Room that is kept for it (RV5), and what scales it (AS1). */
  dependents: (objects, workload) => [
    ...sparesOf(objects, workload),
    ...autoscalersOf(objects, workload),
  ],
};

function malformedWorkload(spec: WorkloadSpec, bad: Bad): Rejection | undefined {
  const { replicas, template, disruption } = spec;
  if (!isCount(replicas) || replicas > MOST_REPLICAS) {
    return bad("spec.replicas", `a whole number from 0 to ${MOST_REPLICAS}`, replicas);
  }
  if (disruption !== undefined && !isCount(disruption.maxUnavailable)) {
    const field = "spec.disruption.maxUnavailable";
    return bad(field, "a whole number, 0 or more", disruption.maxUnavailable);
  }
  return (
    malformedBatch(spec, bad) ??
    malformedGang(spec, bad) ??
    malformedRollout(spec, bad) ??
    malformedRecovery(spec, bad) ??
    malformedDisconnect(spec, bad) ??
    malformedTemplate(template, bad)
  );
}

const autoscalersOf = (objects: ObjectIndex, workload: Workload): readonly Autoscaler[] =>
  [...objects.all("Autoscaler").values()]
    .filter((each) => scaledWorkload(each) === workload.key)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
