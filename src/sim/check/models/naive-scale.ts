/**
 * What an autoscaler may do and what a workload has, said a second time: plain walks, and the usual
 * numbers written out.
 */
import type { Autoscaler, Workload } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { WorldAutoscaler } from "../../world/world.ts";
import type { Truth } from "../checker.ts";
import { rulesAt } from "./naive-policy.ts";
import { replicasOf, wantedIndexes } from "./naive-wanted.ts";

export interface ScaleBounds {
  readonly min: number;
  readonly max: number;
  /** The most in one step from so many replicas. */
  readonly upFrom: (replicas: number) => number;
  readonly downFrom: (replicas: number) => number;
  readonly upEveryMs: number;
  readonly downEveryMs: number;
  readonly upWindowMs: number;
  readonly downWindowMs: number;
  readonly handsOffMs: number;
}

const isSaid = (pace: Autoscaler["spec"]["up"]): boolean =>
  pace?.replicas !== undefined || pace?.percent !== undefined;

export function boundsOf(
  objects: ObjectIndex,
  { spec }: Autoscaler,
  workload: Workload,
): ScaleBounds {
  const { regions } = workload.spec.template.ask;
  const region = regions.length === 1 ? regions[0] : undefined;
  const policy = rulesAt(objects, workload.spec.template, region)?.autoscaling ?? {};
  const most = policy.maxReplicas ?? spec.max;
  const least = policy.minReplicas ?? spec.min;
  const max = most < spec.max ? most : spec.max;
  const wanted = least > spec.min ? least : spec.min;
  const step =
    (count: number, percent: number) =>
    (replicas: number): number => {
      let part = 0;
      while (part * 100 < percent * replicas) part += 1;
      const one = Math.max(1, count, part);
      return policy.stepMost === undefined ? one : Math.min(one, policy.stepMost);
    };
  const { up = {}, down = {} } = spec;
  return {
    min: wanted > max ? max : wanted,
    max,
    upFrom: isSaid(up) ? step(up.replicas ?? 0, up.percent ?? 0) : step(4, 100),
    downFrom: isSaid(down) ? step(down.replicas ?? 0, down.percent ?? 0) : step(1, 50),
    upEveryMs: up.periodMs ?? 15_000,
    downEveryMs: down.periodMs ?? 60_000,
    upWindowMs: up.windowMs ?? 0,
    downWindowMs: Math.max(down.windowMs ?? 300_000, policy.stabilizationMs ?? 0),
    handsOffMs: spec.manualHoldMs ?? 300_000,
  };
}

/** As many replicas as it takes to carry a load, counted up. */
export function needed(load: number, perReplica: number): number {
  let replicas = 0;
  while (replicas * perReplica < load) replicas += 1;
  return replicas;
}

/** The first index whose replica has no node, as words; undefined: all have. */
export function withoutNode(objects: ObjectIndex, workload: Workload): string | undefined {
  const own = replicasOf(objects, workload).filter(({ status }) => status.superseded === undefined);
  for (const { generation, index } of wantedIndexes(workload)) {
    const found = own.find(({ spec }) => spec.generation === generation && spec.index === index);
    if (found?.status.node !== undefined || found?.status.stage === "succeeded") continue;
    // A rollout begins its indexes one after the other, and has them wanted before they are there.
    if (found === undefined && workload.status.rollout !== undefined) continue;
    return `index ${index} is ${found?.status.stage ?? "not there"}`;
  }
  return undefined;
}

/**
 * Whether one of them has a node and is still on its way: more like it might never come to serve
 * either.
 */
export const isStarting = (objects: ObjectIndex, workload: Workload): boolean =>
  replicasOf(objects, workload).some(
    ({ status }) => status.stage === "bound" || status.stage === "starting",
  );

/** How many of those it wants do not serve, for whatever reason. */
export const idleOf = (objects: ObjectIndex, workload: Workload): number =>
  replicasOf(objects, workload).filter(({ status }) => status.stage !== "serving").length;

/** The world's own word about an autoscaler. */
export const worldOf = ({ world }: Truth, { meta }: Autoscaler): WorldAutoscaler | undefined =>
  world.autoscalers?.find(({ tenant, name }) => tenant === meta.namespace && name === meta.name);
