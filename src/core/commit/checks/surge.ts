/** While a workload moves to another template, only so many of its replicas live at once (RO2). */
import type { Workload } from "../../model/objects.ts";
import { isMoving, rolloutBounds } from "../../model/rollout.ts";
import { liveCount } from "../../observe/rollout-counts.ts";
import type { CommitContext } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

/** `fresh` are those that do not live yet and are about to. */
export function surgeExceeded(
  context: CommitContext,
  workload: Workload,
  fresh: number,
): Rejection | undefined {
  if (fresh === 0 || !isMoving(workload.status.rollout)) return undefined;
  const most = workload.spec.replicas + rolloutBounds(workload.spec).surge;
  const live = liveCount(context.ledger.objects, workload) + fresh;
  return live <= most
    ? undefined
    : reject("rollout-surge", workload.key, `at most ${most} alive`, live);
}
