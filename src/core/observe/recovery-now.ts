/**
 * How far a workload is from its recovery objective at this moment, counted from its replicas. The
 * proposer of a recovery counts on a view, the authority on the truth; both count here. It walks
 * the replicas of one workload, and only of one that has an objective.
 */
import type { Replica, Workload } from "../model/objects.ts";
import {
  isRecovering,
  RECOVERY_STAGES,
  type RecoveryStage,
  recoveryTarget,
} from "../model/recovery.ts";
import { rolloutBounds } from "../model/rollout.ts";
import { holdsNode } from "../model/stage.ts";
import { isAvailable, isWanted } from "../model/availability.ts";
import type { ObjectIndex } from "./object-index.ts";

export interface RecoveryNow {
  /** How many the objective is about. */
  readonly target: number;
  /** Fewer that serve are a loss. */
  readonly bar: number;
  readonly serving: number;
  /** How many more need a node. */
  readonly unplaced: number;
  /** Where the last one that it needs has come to; undefined: enough serve. */
  readonly stage: RecoveryStage | undefined;
}

export function recoveryNow(objects: ObjectIndex, workload: Workload): RecoveryNow {
  const target = recoveryTarget(workload);
  const bar = barOf(workload, target);
  const counts = new Map<RecoveryStage, number>();
  let serving = 0;
  let placed = 0;
  for (const replica of objects.replicasOf(workload.key).values()) {
    if (!isWanted(replica, workload)) continue;
    if (isUp(replica)) placed += 1;
    if (isAvailable(replica)) serving += 1;
    else counts.set(stageOf(replica), (counts.get(stageOf(replica)) ?? 0) + 1);
  }
  const unplaced = Math.max(0, bar - placed);
  return { target, bar, serving, unplaced, stage: lastNeeded(bar - serving, counts) };
}

/** How many more of it must have a node before it is back; 0 when nothing was lost. */
export const urgentOf = (objects: ObjectIndex, workload: Workload | undefined): number =>
  workload !== undefined && isRecovering(workload) ? recoveryNow(objects, workload).unplaced : 0;

/**
 * What its owner takes out of serving is no loss: a scale is in the target, and a rollout says how
 * many it may.
 */
function barOf({ spec, status }: Workload, target: number): number {
  const reached = Math.min(target, status.recovery?.reached ?? 0);
  const excused = status.rollout === undefined ? 0 : rolloutBounds(spec).unavailable;
  return Math.max(0, reached - excused);
}

/** Those that are furthest are counted on first. */
function lastNeeded(
  missing: number,
  counts: ReadonlyMap<RecoveryStage, number>,
): RecoveryStage | undefined {
  if (missing <= 0) return undefined;
  let found = 0;
  for (const stage of RECOVERY_STAGES.toReversed()) {
    found += counts.get(stage) ?? 0;
    if (found >= missing) return stage;
  }
  return "lost";
}

function stageOf({ status }: Replica): RecoveryStage {
  // Asked to stop, it comes back only in another incarnation.
  if (status.stopping !== undefined) return "lost";
  const { stage } = status;
  return stage === "queued" || stage === "bound" || stage === "starting" || stage === "ready"
    ? stage
    : "lost";
}

/** On a node that is heard of, and not on its way out. */
export const isUp = ({ status }: Replica): boolean =>
  holdsNode(status.stage) && status.stage !== "unknown" && status.stopping === undefined;
