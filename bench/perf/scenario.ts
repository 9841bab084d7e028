/**
 * A counterpart of one workload of Kubernetes' own scheduler benchmark (kubernetes/kubernetes,
 * test/integration/scheduler_perf, Apache-2.0): the same nodes, sizes and counts, in Berth's words.
 */
import type { ChurnTask, FleetTask, Group, PathTask } from "../path/path-task.ts";

/**
 * The numbers of a workload under the names they have there: initNodes, initPods, measurePods and
 * so on.
 */
export type Params = Readonly<Record<string, number>>;

/** Where it stands there. */
export interface Original {
  readonly topic: string;
  readonly test: string;
  readonly workload: string;
}

export interface Scenario {
  /** What a person types after `--only`. */
  readonly name: string;
  readonly original: Original;
  readonly params: Params;
  /**
   * Pods a second below which Kubernetes' own CI fails the workload, on six cores of its own, as of
   * the revision in docs/benchmarks; undefined where it sets none.
   */
  readonly threshold: number | undefined;
  readonly stage: (params: Params) => Stage;
}

/** What is to be done, without where and how. */
export type Stage = Pick<PathTask, "tenants" | "priorityClasses" | "before" | "measured"> & {
  readonly fleet: FleetTask;
  readonly churn?: ChurnTask;
};

export const originalName = ({ topic, test, workload }: Original): string =>
  `${topic}/${test}/${workload}`;

/** Smaller by a factor, to try a scenario out; what there is one of stays one. */
export function divided(params: Params, by: number): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, Math.max(1, Math.round(value / by))]),
  );
}

export const group = (
  name: string,
  count: number,
  of: Group["of"],
  shape: "singly" | "together" = "singly",
): Group =>
  shape === "singly"
    ? { name, workloads: count, each: 1, of }
    : { name, workloads: 1, each: count, of };
