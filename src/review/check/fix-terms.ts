/**
 * Changes of single terms that repair a promise which breaks although there is room: a disruption
 * budget that no drain can meet, a wait for silent replicas that is longer than the promise, a
 * queue in which others come first, and what Kubernetes' own controllers wait for.
 */
import type { AnyObject, Workload } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Fleet } from "../../fleet/fleet.ts";
import { formatDuration } from "../../quantity/duration.ts";
import { settleFleet } from "../../twin/settle-fleet.ts";
import { workloadText } from "../capacity/capacity-question.ts";
import type { Change } from "../fix/candidate.ts";
import { priorityChanges, reserveChanges } from "../fix/change-terms.ts";
import { kubernetesFixes } from "../fix/kubernetes-terms.ts";
import { isAbout, kindOf, type StatedPromise, workloadOfPromise } from "../promise.ts";
import type { Review } from "../review.ts";
import { deadlineOf } from "./scenario-of.ts";

/** Of a deadline: the rest is for the place, the start and the probes. */
const WAITS_FOR_PARTS = 5;

/** Each change is tried with all runs of the review. */
const CHANGES_MOST = 6;

/** Of a promise about a tenant or the fleet: those with most replicas. */
const WORKLOADS_MOST = 3;

/** What takes nothing from others comes first, then room that is kept, then who goes first. */
export function termFixes(
  objects: ObjectIndex,
  promise: StatedPromise,
  profile: Review["profile"],
): readonly Change[] {
  const kind = kindOf(promise);
  if (profile === "kubernetes") {
    return kind === "recover" ? kubernetesChanges(objects, promise) : [];
  }
  if (kind === "drains") return [...disruptionFix(objects), ...widerDisruptions(objects)];
  if (kind !== "recover" && kind !== "wait") return [];
  const workloads = workloadsOf(objects, promise);
  const question = questionOf(promise);
  const changes = [
    ...workloads.flatMap((workload) => patienceFix(workload, deadlineOf(promise))),
    ...workloads.flatMap((each) => [...reserveChanges(objects, each, question)]),
    ...workloads.flatMap((each) => [...priorityChanges(objects, each)]),
  ];
  return changes.slice(0, CHANGES_MOST);
}

function workloadsOf(objects: ObjectIndex, promise: StatedPromise): readonly Workload[] {
  const asked = promise.spec.wait?.priorityClass;
  return [...objects.all("Workload").values()]
    .filter(({ key }) => isAbout(promise, key))
    .filter(({ spec }) => asked === undefined || spec.template.priorityClass === asked)
    .toSorted((a, b) => b.spec.replicas - a.spec.replicas || (a.key < b.key ? -1 : 1))
    .slice(0, WORKLOADS_MOST);
}

/** Where room is to be kept: for as many as are promised, elsewhere than what is lost. */
function questionOf(promise: StatedPromise): Parameters<typeof reserveChanges>[2] {
  const { recover, when } = promise.spec;
  const workload = workloadOfPromise(promise);
  const regions = recover?.in === undefined ? {} : { in: recover.in };
  return {
    lose: when?.lose ?? "node",
    counted: "hard",
    ...(when?.which === undefined ? {} : { which: when.which }),
    ...(recover?.replicas === undefined || workload === undefined
      ? {}
      : { serves: { workload, replicas: recover.replicas, ...regions } }),
  };
}

function kubernetesChanges(objects: ObjectIndex, promise: StatedPromise): readonly Change[] {
  return workloadsOf(objects, promise)
    .flatMap((workload) => kubernetesFixes(objects, workload, deadlineOf(promise)))
    .slice(0, CHANGES_MOST);
}

function disruptionFix(objects: ObjectIndex): readonly Change[] {
  const stuck = [...objects.all("Workload").values()].filter(
    ({ spec }) => spec.disruption?.maxUnavailable === 0,
  );
  if (stuck.length === 0) return [];
  const names = stuck.map(({ key }) => workloadText(key)).join(", ");
  const changed = stuck.map((workload) => withUnavailable(workload, 1));
  return [{ change: `set disruption.maxUnavailable of ${names} to 1`, changed }];
}

/** A drain that ends and takes too long evicts too few replicas at once. */
function widerDisruptions(objects: ObjectIndex): readonly Change[] {
  const narrow = [...objects.all("Workload").values()].filter(
    ({ spec }) => (spec.disruption?.maxUnavailable ?? spec.replicas) < spec.replicas - 1,
  );
  const wider = WIDER.map((times) =>
    narrow.map((workload) => {
      const { spec } = workload;
      const most = Math.max(1, (spec.disruption?.maxUnavailable ?? 0) * times);
      // One stays in service.
      return withUnavailable(workload, Math.min(most, spec.replicas - 1));
    }),
  );
  return wider
    .filter((changed) => changed.length > 0)
    .map((changed) => {
      const names = changed.map(
        ({ key, spec }) => `of ${workloadText(key)} to ${spec.disruption?.maxUnavailable}`,
      );
      return { change: `raise disruption.maxUnavailable ${names.join(", ")}`, changed };
    });
}

/** How many times as many may be out of service at once. */
const WIDER = [2, 4];

const withUnavailable = (workload: Workload, maxUnavailable: number): Workload => ({
  ...workload,
  spec: { ...workload.spec, disruption: { maxUnavailable } },
});

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
