/** The pods that hold or want a place, and notes of all else that stays behind. */
import type { KubeDump } from "./dump.ts";
import { nameOf } from "./dump.ts";
import type { ImportNotes } from "./import-notes.ts";
import { noteFields } from "./pod-fields.ts";
import type { Pod } from "./kube-objects.ts";

const DEFAULT_SCHEDULER = "default-scheduler";

export const livePods = (dump: KubeDump, notes: ImportNotes): readonly Pod[] =>
  dump.all("Pod").filter((pod) => {
    const why = whyLeftOut(pod);
    if (why !== undefined) notes.add(why[0], why[1], nameOf(pod));
    else noteState(pod, notes);
    return why === undefined;
  });

function whyLeftOut({ spec, status }: Pod): readonly [string, string] | undefined {
  if (status?.phase === "Succeeded" || status?.phase === "Failed") {
    return ["finished pods", "left out: they hold no room"];
  }
  if (spec?.nodeName !== undefined) return undefined;
  if ((spec?.schedulingGates ?? []).length > 0) {
    return ["pods behind a scheduling gate", "left out: nothing places them"];
  }
  const { schedulerName = DEFAULT_SCHEDULER } = spec ?? {};
  if (schedulerName === DEFAULT_SCHEDULER) return undefined;
  return [
    `pending pods of the scheduler ${schedulerName}`,
    "left out: another scheduler places them by rules of its own",
  ];
}

function noteState(pod: Pod, notes: ImportNotes): void {
  const name = nameOf(pod);
  if (pod.metadata.deletionTimestamp !== undefined) {
    notes.add(
      "pods that are being deleted",
      "kept: they hold their room until they are gone",
      name,
    );
  }
  noteFields(pod, notes);
}

/** What each kind that is not carried over means for an answer. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  CronJob: "their future jobs are not simulated; jobs that run today are",
  LimitRange: "not read: admitted pods carry what they default",
  ResourceClaimTemplate: "not read: a pod has a claim of its own once it is made",
  Secret: "not read, and not kept: only their number is known",
  ConfigMap: "not read, and not kept: only their number is known",
  HorizontalPodAutoscaler: "not read: numbers of replicas stay as they are",
  VolumeAttachment: "not read: a volume follows its pod",
  RuntimeClass: "not read: admitted pods carry the overhead, selector and tolerations",
  PodGroup: "not read: each pod is placed by itself",
  Workload: "not read: each pod is placed by itself",
};

const READ: ReadonlySet<string> = new Set([
  "Node",
  "Pod",
  "Deployment",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "PodDisruptionBudget",
  "ResourceQuota",
  "PriorityClass",
  "PersistentVolumeClaim",
  "PersistentVolume",
  "Namespace",
  "StorageClass",
  "CSINode",
  "ResourceSlice",
  "ResourceClaim",
  "DeviceClass",
]);

export function noteLeftOut(dump: KubeDump, notes: ImportNotes): void {
  for (const [kind, count] of dump.counts()) {
    if (READ.has(kind)) continue;
    const effect = LEFT_OUT[kind] ?? "not read: no placement depends on them";
    for (let at = 0; at < count; at += 1) notes.add(`objects of kind ${kind}`, effect, kind);
  }
}
