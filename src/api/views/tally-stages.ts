/** Where the replicas of a workload are, counted in one walk. */
import type { Replica, Workload } from "../../core/model/objects.ts";
import { isReadyStage, isResting, type Stage } from "../../core/model/stage.ts";

export interface StageTally {
  readonly stages: Readonly<Partial<Record<Stage, number>>>;
  /** Ready, serving or running; of a batch those that ended well, too. */
  readonly ready: number;
  /**
   * All but those at rest; of a service those that failed, too, since each stands for its index.
   */
  readonly there: number;
}

export function tallyStages({ spec }: Workload, replicas: readonly Replica[]): StageTally {
  const stages: Partial<Record<Stage, number>> = {};
  let ready = 0;
  let there = 0;
  for (const { status } of replicas) {
    const { stage } = status;
    stages[stage] = (stages[stage] ?? 0) + 1;
    if (isReadyStage(stage) || (spec.type === "batch" && stage === "succeeded")) ready += 1;
    if (spec.batch === undefined || !isResting(stage)) there += 1;
  }
  return { stages, ready, there };
}
