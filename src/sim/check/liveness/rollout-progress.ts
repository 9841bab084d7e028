/** What a service that moves to another template still lacks, for `unfinished.ts`. */
import { hasNeverReady } from "../../world/never-ready.ts";
import type { Replica, Workload } from "../../../core/model/objects.ts";
import type { Truth } from "../checker.ts";
import {
  boundsOf,
  isRolling,
  isServing,
  isWantedBy,
  livingOf,
  replicasOf,
} from "../models/naive-wanted.ts";
import type { Unfinished } from "./unfinished-work.ts";

/** What a service that says nothing may go without progress. */
const DEADLINE_MS = 600_000;

/** Whether an index may lack an incarnation because as many of its workload live as may. */
export const isSurgeFull = ({ objects }: Truth, workload: Workload): boolean =>
  isRolling(workload) &&
  livingOf(objects, workload) >= workload.spec.replicas + boundsOf(workload).surge;

/**
 * A rollout ends within its deadline and the usual patience after its last progress, one way or the
 * other. A way back has no deadline: it waits for room and quota like anybody else.
 */
export function rolloutNotDone(
  workload: Workload,
  truth: Truth,
  stallMs: number,
): Unfinished | undefined {
  const { key, meta, spec, status } = workload;
  const { rollout } = status;
  if (rollout === undefined || meta.deletingMs !== undefined || !isRolling(workload)) {
    return undefined;
  }
  const isForward = rollout.stage === "rolling";
  if (isForward && spec.rollout?.paused === true) return undefined;
  const own = replicasOf(truth.objects, workload);
  const wanted = own.filter((replica) => isWantedBy(workload, replica.spec));
  // What goes forward has a deadline, whatever it waits for.
  if (!isForward && wanted.some((replica) => isWaiting(replica, truth))) return undefined;
  const targets = wanted.filter((each) => each.spec.generation === rollout.to);
  // Gone back to something that cannot serve either, it waits for a person.
  if (!isForward && targets.some((each) => hasNeverReady(each.spec.template))) return undefined;
  const pauseMs = isForward ? (spec.rollout?.steps?.[rollout.step]?.pauseMs ?? 0) : 0;
  const deadlineMs = isForward ? (spec.rollout?.deadlineMs ?? DEADLINE_MS) : 0;
  const serving = targets.filter(isServing).length;
  const left = own.length - targets.length;
  return {
    rule: "LIV20",
    key,
    stuckAs: `${rollout.stage} to ${rollout.to}, step ${rollout.step}, ${serving} serve, ${left} left`,
    patienceMs: deadlineMs + pauseMs + stallMs + truth.world.startUpMs,
    message: `${key} is still ${rollout.stage} to generation ${rollout.to}: ${serving} of ${spec.replicas} serve.`,
  };
}

/** For room, for quota, for its next incarnation, or for a machine that is off. */
function isWaiting({ status }: Replica, truth: Truth): boolean {
  const { stage, node } = status;
  if (stage === "admitted" || stage === "queued" || stage === "failed") return true;
  return node !== undefined && !truth.isNodeUp(node);
}
