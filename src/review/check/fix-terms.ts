/**
 * Changes of single terms that repair a promise which breaks although there is room: a disruption
 * budget that no drain can meet, and a wait for silent replicas that is longer than the promise.
 */
import type { AnyObject, Workload } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Fleet } from "../../fleet/fleet.ts";
import { formatDuration } from "../../quantity/duration.ts";
import { settleFleet } from "../../twin/settle-fleet.ts";
import { workloadText } from "../capacity/capacity-question.ts";
import { isAbout, kindOf, type StatedPromise } from "../promise.ts";
import type { Review } from "../review.ts";
import { deadlineOf } from "./scenario-of.ts";

export interface Change {
  /** As a person would do it. */
  readonly change: string;
  readonly changed: readonly AnyObject[];
}

/** Of a deadline: the rest is for the place, the start and the probes. */
const WAITS_FOR_PARTS = 5;

export function termFixes(objects: ObjectIndex, promise: StatedPromise): readonly Change[] {
  const kind = kindOf(promise);
  if (kind === "drains") return disruptionFix(objects);
  if (kind !== "recover" && kind !== "wait") return [];
  return [...objects.all("Workload").values()]
    .filter(({ key }) => isAbout(promise, key))
    .flatMap((workload) => patienceFix(workload, deadlineOf(promise)));
}

function disruptionFix(objects: ObjectIndex): readonly Change[] {
  const stuck = [...objects.all("Workload").values()].filter(
    ({ spec }) => spec.disruption?.maxUnavailable === 0,
  );
  if (stuck.length === 0) return [];
  const names = stuck.map(({ key }) => workloadText(key)).join(", ");
  const changed = stuck.map((workload) => ({
    ...workload,
    spec: { ...workload.spec, disruption: { maxUnavailable: 1 } },
  }));
  return [{ change: `set disruption.maxUnavailable of ${names} to 1`, changed }];
}

function patienceFix(workload: Workload, deadlineMs: number): readonly Change[] {
  const { replaceAfterMs } = workload.spec.template;
  const lowerMs = Math.max(1_000, Math.floor(deadlineMs / WAITS_FOR_PARTS / 1_000) * 1_000);
  if (replaceAfterMs === undefined || replaceAfterMs <= lowerMs) return [];
  const { spec } = workload;
  const changed: Workload = {
    ...workload,
    spec: { ...spec, template: { ...spec.template, replaceAfterMs: lowerMs } },
  };
  const change = `lower replaceAfter of ${workloadText(workload.key)} from ${formatDuration(replaceAfterMs)} to ${formatDuration(lowerMs)}`;
  return [{ change, changed: [changed] }];
}

/** The fleet with a change, and with what its controllers make of it. */
export function withObjects(
  { source, objects }: Fleet,
  changed: readonly AnyObject[],
  profile: Review["profile"],
): Fleet {
  const others = new Map(objects.map((object) => [object.key, object]));
  for (const object of changed) others.set(object.key, object);
  // As after the rollout of a changed template, without its time.
  for (const object of changed) {
    if (object.kind !== "Workload") continue;
    for (const replica of others.values()) {
      if (replica.kind !== "Replica" || replica.spec.workloadUid !== object.meta.uid) continue;
      const spec = { ...replica.spec, template: object.spec.template };
      others.set(replica.key, { ...replica, spec });
    }
  }
  const fleet = { source, objects: [...others.values()] };
  // The forecast of Kubernetes places nothing before a loss.
  return profile === "kubernetes" ? fleet : settleFleet(fleet);
}
