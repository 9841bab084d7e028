/**
 * Changes that shorten what Kubernetes' own controllers do about a lost node: pods that tolerate it
 * for a shorter time, and a Deployment in place of what waits for a pod that never ends. The most
 * seconds that are tried come first: they are the smaller change.
 */
import type { Replica, Workload } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import {
  asDeployment,
  controllerOf,
  replacementOf,
  tolerationMsOf,
  withToleration,
} from "../../fleet/kubernetes/recovery-facts.ts";
import { workloadText } from "../capacity/capacity-question.ts";
import type { Change } from "./candidate.ts";

/** Parts of the deadline that a pod may tolerate; the last resort is none. */
const PARTS = [1 / 2, 1 / 5, 0];

/** Their pods are replaced by no controller, or only when the pod object is gone. */
const REPLACEABLE: ReadonlySet<string> = new Set(["StatefulSet", "Pod"]);

/** What a Deployment does not give. */
const LIMIT = "which fits only if its pods need neither fixed names nor volumes of their own";

export function kubernetesFixes(
  objects: ObjectIndex,
  workload: Workload,
  deadlineMs: number,
): readonly Change[] {
  const of = workloadText(workload.key);
  const replicas = [...objects.replicasOf(workload.key).values()];
  const tolerations = tolerationFixes(of, replicas, deadlineMs);
  if (replacementOf(workload) === "at-once") return tolerations;
  const controller = controllerOf(workload);
  if (!REPLACEABLE.has(controller)) return [];
  const place = controller === "Pod" ? "bare pods" : `a ${controller}`;
  const changed = asDeployment(workload);
  const change = `run ${of} as a Deployment in place of ${place}, ${LIMIT}`;
  return [
    { change, changed: [changed] },
    ...tolerations.map((also) => ({
      change: `${change}; and ${also.change}`,
      changed: [changed, ...also.changed],
    })),
  ];
}

function tolerationFixes(
  of: string,
  replicas: readonly Replica[],
  deadlineMs: number,
): readonly Change[] {
  const all = replicas.map((replica) => tolerationMsOf(replica) ?? Infinity);
  const longestMs = Math.max(0, ...all);
  const now = longestMs === Infinity ? "no end" : `${longestMs / 1_000}`;
  return PARTS.flatMap((part) => {
    const seconds = Math.floor((deadlineMs * part) / 1_000);
    const late = replicas.filter((_, at) => (all[at] ?? 0) > seconds * 1_000);
    if (late.length === 0) return [];
    const change = `lower tolerationSeconds for unreachable nodes of ${of} from ${now} to ${seconds}`;
    return [{ change, changed: late.map((replica) => withToleration(replica, seconds)) }];
  });
}
