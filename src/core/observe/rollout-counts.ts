/**
 * What the two bounds of a rollout are about: how many replicas of a workload live, and how many of
 * those it wants serve. The controllers ask this of a view, the authority of the truth (RO2, RO3).
 */
import type { Replica, Workload } from "../model/objects.ts";
import { hasServed, wantedOf } from "../model/rollout.ts";
import { indexCount } from "../model/index-set.ts";
import { isResting } from "../model/stage.ts";
import { isAvailable, isWanted } from "../model/availability.ts";
import type { ObjectIndex } from "./object-index.ts";

/**
 * On its way, there, or on its way out. One that was asked to stop on a silent node is left out:
 * its end is unknown, and a way back must not have to wait for it.
 */
export function isLive({ status }: Replica): boolean {
  // One that was replaced is beside what its workload wants, and for its workload's own reason
  // (DC3).
  if (isResting(status.stage) || status.superseded !== undefined) return false;
  return status.stopping === undefined || status.stage !== "unknown";
}

/** Of all generations, wanted or not. */
export function liveCount(objects: ObjectIndex, { key, meta }: Workload): number {
  let live = 0;
  for (const replica of objects.replicasOf(key).values()) {
    if (replica.spec.workloadUid === meta.uid && isLive(replica)) live += 1;
  }
  return live;
}

/**
 * Of all generations; `workload` says what is wanted, which may be what a command would make of it.
 */
export function servingCount(objects: ObjectIndex, workload: Workload): number {
  let serving = 0;
  for (const replica of objects.replicasOf(workload.key).values()) {
    if (isAvailable(replica) && isWanted(replica, workload)) serving += 1;
  }
  return serving;
}

/**
 * How many replicas can be hoped for: those that serve, and the wanted indexes of generations that
 * have served before. What a new template is good for is not known before one of its replicas
 * serves.
 */
export function hopeCount(objects: ObjectIndex, workload: Workload): number {
  const { key, spec } = workload;
  let hope = 0;
  for (const { generation, indexes } of wantedOf(workload)) {
    if (hasServed(workload, generation)) hope += indexCount(indexes, spec.replicas);
  }
  for (const replica of objects.replicasOf(key).values()) {
    if (hasServed(workload, replica.spec.generation)) continue;
    if (isAvailable(replica) && isWanted(replica, workload)) hope += 1;
  }
  return hope;
}

/**
 * Whether ending it may take something out of serving. The state of one on a silent node is
 * unknown: it is no help to others, and is not given away for nothing either.
 */
export const mayServe = (replica: Replica): boolean =>
  isAvailable(replica) ||
  (replica.status.stage === "unknown" && replica.status.stopping === undefined);
