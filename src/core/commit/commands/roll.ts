/**
 * Moves a service along its rollout, or back. Who proposes it counts on a view; here it is decided
 * on the truth whether so many may live and so many may stop serving (RO2, RO3). Those that are not
 * wanted any more are asked to stop in the same commit, so no replica can fail between the count
 * and the stop.
 */
import { unreachable } from "../../model/assert.ts";
import type { Replica, Workload, WorkloadStatus } from "../../model/objects.ts";
import {
  hasServed,
  isMoving,
  lastServed,
  retargeted,
  type Rollout,
  rolloutBounds,
  rolloutSpec,
  rollsOut,
  targetOf,
  wantedOf,
} from "../../model/rollout.ts";
import { sentence } from "../../model/text/sentence.ts";
import { ALL_INDEXES, indexCount } from "../../model/index-set.ts";
import { holdsNode } from "../../model/stage.ts";
import { isWanted } from "../../model/availability.ts";
import { hopeCount, mayServe, servingCount } from "../../observe/rollout-counts.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import {
  type CommitContext,
  changed,
  missing,
  touched,
  type Verdict,
  withStatus,
} from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { movedIndexes, stepTaken } from "../../rules/roll-indexes.ts";
import type { Advance } from "../../rules/roll-indexes.ts";

export function checkRoll(context: CommitContext, intent: IntentOf<"roll">): Verdict {
  const workload = context.ledger.objects.workload(intent.workload);
  if (workload === undefined) return missing(intent.workload);
  const { key, meta, status, spec } = workload;
  if (context.role !== "roll-out") return reject("not-owner", key, "roll-out", context.role);
  if (meta.deletingMs !== undefined) {
    return reject("being-deleted", key, "not being deleted", "being deleted");
  }
  if (!rollsOut(spec)) return reject("rollout-over", key, "a service that rolls out", spec.type);
  const retargets = status.retargets ?? 0;
  if (retargets !== intent.retargets) {
    return reject("rollout-over", key, `rollout ${retargets}`, `rollout ${intent.retargets}`);
  }
  const { move } = intent;
  switch (move.kind) {
    case "advance":
      return advance(context, workload, move);
    case "finish":
      return finish(context, workload);
    case "fail":
      return fail(context, workload, move.reason);
    default:
      return unreachable(move);
  }
}

const over = ({ key, status }: Workload): Rejection =>
  reject("rollout-over", key, "one that moves", status.rollout?.stage ?? "none");

const withWorkload = (
  context: CommitContext,
  workload: Workload,
  status: WorkloadStatus,
): Workload => ({
  ...workload,
  meta: touched(workload.meta, context.next),
  status,
});

function advance(context: CommitContext, workload: Workload, move: Advance): Verdict {
  const { spec, status } = workload;
  const { rollout } = status;
  if (!isMoving(rollout)) return over(workload);
  // The way back is not held up by what was meant for the way there (RO5).
  if (rollout.stage === "rolling" && rolloutSpec(spec).paused === true) {
    return reject("rollout-paused", workload.key, "not paused", "paused");
  }
  const { objects } = context.ledger;
  const early = stepTaken(objects, workload, move);
  if (early !== undefined) return early;
  const moved = movedIndexes(workload, rollout, move);
  if ("code" in moved) return moved;
  const next: Rollout = { ...rollout, ...moved, step: move.step };
  const after = withWorkload(context, workload, { ...status, rollout: next });
  const wanted = wantedOf(after).reduce(
    (sum, { indexes }) => sum + indexCount(indexes, spec.replicas),
    0,
  );
  const bounds = rolloutBounds(spec);
  const most = spec.replicas + bounds.surge;
  if (move.begin.length > 0 && wanted > most) {
    return reject("rollout-surge", workload.key, `at most ${most} wanted`, wanted);
  }
  const ended = droppedReplicas(context, workload, after);
  const least = spec.replicas - bounds.unavailable;
  if (move.drop.length > 0 && wanted < least) {
    return reject("rollout-unavailable", workload.key, `at least ${least} wanted`, wanted);
  }
  const scarce = tooFewServe(context, after, { ended, move, least });
  return scarce ?? [changed(workload, after), ...stops(context, ended)];
}

/**
 * What serves is given up for what serves, and what has served before not for what never did (RO3).
 */
function tooFewServe(
  context: CommitContext,
  after: Workload,
  asked: { readonly ended: readonly Replica[]; readonly move: Advance; readonly least: number },
): Rejection | undefined {
  const { ended, move, least } = asked;
  const { objects } = context.ledger;
  const serving = servingCount(objects, after);
  if (serving < least && ended.some(mayServe)) {
    return reject("rollout-unavailable", after.key, `at least ${least} serving besides`, serving);
  }
  if (!move.drop.some(({ generation }) => hasServed(after, generation))) return undefined;
  const hope = hopeCount(objects, after);
  if (hope >= least) return undefined;
  return reject("rollout-unavailable", after.key, `at least ${least} that serve or did`, hope);
}

/** Those that were wanted and are not any more. */
function droppedReplicas(
  context: CommitContext,
  before: Workload,
  after: Workload,
): readonly Replica[] {
  const dropped: Replica[] = [];
  for (const replica of context.ledger.objects.replicasOf(before.key).values()) {
    if (isWanted(replica, before) && !isWanted(replica, after)) dropped.push(replica);
  }
  return dropped;
}

/** One that holds no node yet is ended by its owner, like any other unwanted one. */
const stops = (context: CommitContext, dropped: readonly Replica[]): readonly Change[] =>
  dropped
    .filter(({ status }) => holdsNode(status.stage) && status.stopping === undefined)
    .map((replica) =>
      withStatus(context, replica, { stopping: { reason: "rollout", sinceMs: context.nowMs } }),
    );

/**
 * All that is wanted is of one generation and serves: it has served, and nothing moves any more
 * (RO6).
 */
function finish(context: CommitContext, workload: Workload): Verdict {
  const { key, spec, status } = workload;
  const { rollout } = status;
  const isNews = rollout === undefined ? status.served !== true : isMoving(rollout);
  // Scaled to nothing it proves nothing, but it has nothing to wait for either.
  if (!isNews || (rollout === undefined && spec.replicas === 0)) return over(workload);
  const [target, ...old] = wantedOf(workload);
  const left = old.reduce((sum, { indexes }) => sum + indexCount(indexes, spec.replicas), 0);
  if (left > 0) return reject("rollout-unfinished", key, "none of another generation", left);
  const begun = indexCount(target?.indexes ?? [], spec.replicas);
  const serving = Math.min(begun, servingCount(context.ledger.objects, workload));
  if (serving < spec.replicas) {
    return reject("rollout-unfinished", key, `${spec.replicas} serving`, serving);
  }
  const { rollout: _, ...rest } = status;
  const after: WorkloadStatus =
    targetOf(workload) === status.templateGeneration
      ? { ...rest, ...(spec.replicas > 0 ? { served: true } : {}) }
      : { ...rest, rollout: settledBack(rollout as Rollout) };
  return [changed(workload, withWorkload(context, workload, after))];
}

const settledBack = (rollout: Rollout): Rollout => ({
  ...rollout,
  stage: "rolled-back",
  begun: ALL_INDEXES,
  old: [],
});

/**
 * Back to the last generation that served, or, without one or with onFailure hold, no further
 * (RO7).
 */
function fail(context: CommitContext, workload: Workload, said: string): Verdict {
  const { status, spec } = workload;
  const { rollout } = status;
  if (rollout?.stage !== "rolling") return over(workload);
  const reason = sentence(said) ?? "It made no progress in time.";
  const back = lastServed(workload, rollout.to);
  const isHeld = back === undefined || rolloutSpec(spec).onFailure === "hold";
  const next: Rollout = isHeld
    ? { ...rollout, stage: "held", reason }
    : {
        ...rollout,
        ...retargeted(workload, back),
        stage: "going-back",
        sinceMs: context.nowMs,
        reason,
      };
  const retargets = (status.retargets ?? 0) + 1;
  const after = { ...status, rollout: next, retargets };
  return [changed(workload, withWorkload(context, workload, after))];
}
