/** The pods that hold or want a place, and notes of all else that stays behind. */
import type { KubeDump } from "./dump.ts";
import { nameOf } from "./dump.ts";
import type { ImportNotes } from "./import-notes.ts";
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
  if ((pod.spec?.resourceClaims ?? []).length > 0) {
    const effect = "the claimed devices are not counted";
    notes.add("pods with resource claims (dynamic resource allocation)", effect, name);
  }
}

/** What each kind that is not carried over means for an answer. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  CronJob: "their future jobs are not simulated; jobs that run today are",
  LimitRange: "not read: admitted pods carry what they default",
  ResourceClaim: "not read: claimed devices are not counted",
  ResourceSlice: "not read: their devices are not counted",
  ResourceClaimTemplate: "not read: claimed devices are not counted",
  HorizontalPodAutoscaler: "not read: numbers of replicas stay as they are",
  StorageClass: "not read: volumes that exist say where they are",
  CSINode: "not read: how many volumes a node can attach is not counted",
  VolumeAttachment: "not read: how many volumes a node can attach is not counted",
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
]);

export function noteLeftOut(dump: KubeDump, notes: ImportNotes): void {
  for (const [kind, count] of dump.counts()) {
    if (READ.has(kind)) continue;
    const effect = LEFT_OUT[kind] ?? "not read: no placement depends on them";
    for (let at = 0; at < count; at += 1) notes.add(`objects of kind ${kind}`, effect, kind);
  }
}
