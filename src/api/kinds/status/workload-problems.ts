/**
 * What is wrong with a workload, the worst first: replicas that crash, fail their probes or have
 * lost their node, and a rollout that failed. One replica stands for all with the same reason.
 * What a replica merely waits for is no problem of its workload; its progress tells of it.
 */
import { Type } from "typebox";
import { STABLE_MS } from "../../../core/agent/process-ending.ts";
import { CRASH_LOOP_FAILURES } from "../../../core/explain/incident-sign.ts";
import { leaseKey } from "../../../core/model/ids.ts";
import type { Replica, Workload } from "../../../core/model/objects.ts";
import { isReadyStage } from "../../../core/model/stage.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { rfc3339 } from "../../rfc3339.ts";
import { fields, text } from "../../schema/shapes.ts";
import { replicaReason, type StageReason } from "./stage-reason.ts";

export interface WorkloadProblem {
  /** In CamelCase, for programs. */
  readonly reason: string;
  /** In a sentence. */
  readonly message: string;
  /** One replica that has it; left out: it is of the workload as a whole. */
  readonly replica?: string;
  /** How the last process of that replica ended, or what its probe got. */
  readonly cause?: string;
  /** How often that replica failed in a row. */
  readonly failures?: number;
  /** It is over if that replica serves until then without a failure. */
  readonly until?: string;
}

export const problemsSchema = Type.Array(
  fields("One problem.", {
    reason: text("The problem, in one word."),
    message: text("The problem, in a sentence."),
    replica: Type.Optional(text("A replica that has it. Absent: it is of the whole workload.")),
    cause: Type.Optional(
      text("How the last process of that replica ended, or what its probe got."),
    ),
    failures: Type.Optional(
      Type.Integer({ description: "How often that replica failed in a row." }),
    ),
    until: Type.Optional(
      text("The problem is over if that replica serves until this time without a failure."),
    ),
  }),
  { description: "What is wrong with it, the worst first. Empty: nothing." },
);

const REASONS = ["CrashLoop", "Failed", "Unready", "ProbeFailing", "NodeSilent"] as const;
type ReplicaProblem = (typeof REASONS)[number];

const isProblem = (reason: string): reason is ReplicaProblem =>
  (REASONS as readonly string[]).includes(reason);

export function workloadProblems(
  workload: Workload,
  replicas: readonly Replica[],
  objects: Pick<ObjectIndex, "lease">,
): readonly WorkloadProblem[] {
  const found = new Map<ReplicaProblem, { readonly first: Replica; count: number }>();
  for (const replica of replicas) {
    const { reason } = problemOf(replica, objects);
    if (!isProblem(reason)) continue;
    const known = found.get(reason);
    if (known === undefined) found.set(reason, { first: replica, count: 1 });
    else known.count += 1;
  }
  const ofReplicas = REASONS.flatMap((reason) => {
    const { first, count } = found.get(reason) ?? {};
    if (first === undefined || count === undefined) return [];
    const { name } = first.meta;
    const like = count === 1 ? name : `${count} replicas are like ${name}, which`;
    const { message: says, until } = problemOf(first, objects);
    const message = `${like} ${says}.`;
    const problem = { reason, message, replica: name, ...causeOf(first, reason) };
    return [until === undefined ? problem : { ...problem, until }];
  });
  return [...ofReplicas, ...rolloutProblem(workload)];
}

type ReplicaTrouble = StageReason & Pick<WorkloadProblem, "until">;

/** What its stage says, unless it only looks well between two failures. */
function problemOf(replica: Replica, objects: Pick<ObjectIndex, "lease">): ReplicaTrouble {
  const said = replicaReason(replica.status);
  return isProblem(said.reason) ? said : (loopOf(replica, objects) ?? said);
}

/**
 * A replica that failed again and again runs for a moment before it fails the next time. It is out
 * of the loop when it has served for so long that its next failure is a first one (ST4). How late
 * it is tells the last renewal of its node's lease, on the clock that also timed the stage.
 */
function loopOf(
  { spec, status }: Replica,
  objects: Pick<ObjectIndex, "lease">,
): ReplicaTrouble | undefined {
  const { stage, stageSinceMs, failures, lastEnd, node, stopping } = status;
  const isAgain = failures >= CRASH_LOOP_FAILURES && spec.type === "service";
  if (!isAgain || node === undefined || stopping !== undefined) return undefined;
  const why = lastEnd === undefined ? "" : `: ${lastEnd.replace(/\.$/, "")}`;
  const often = `has failed ${failures} times in a row${why}`;
  const reason = "CrashLoop";
  if (stage === "bound" || stage === "starting") {
    return { reason, message: `${often}; it starts again` };
  }
  const untilMs = stageSinceMs + STABLE_MS;
  const lateMs = objects.lease(leaseKey(node))?.status.renewedMs ?? stageSinceMs;
  if (!isReadyStage(stage) || lateMs >= untilMs) return undefined;
  const since = rfc3339(stageSinceMs);
  return { reason, message: `${often}; it serves again since ${since}`, until: rfc3339(untilMs) };
}

/** A replica that starts may have an end that is long past, and its probe is what counts. */
function causeOf(
  { status }: Replica,
  reason: ReplicaProblem,
): Pick<WorkloadProblem, "cause" | "failures"> {
  const { stage, failures, lastEnd, failingProbe } = status;
  const hasFailed = stage === "failed" || reason === "CrashLoop";
  const cause = hasFailed ? lastEnd : failingProbe?.said;
  return {
    ...(cause === undefined ? {} : { cause }),
    ...(hasFailed ? { failures } : {}),
  };
}

function rolloutProblem({ status: { rollout } }: Workload): readonly WorkloadProblem[] {
  if (rollout === undefined) return [];
  const { stage, to, reason = "" } = rollout;
  const why = reason === "" ? "" : `: ${reason.replace(/\.$/, "")}`;
  switch (stage) {
    case "rolling":
      return [];
    case "going-back":
      return [{ reason: "RollingBack", message: `Its rollout failed and goes back${why}.` }];
    case "held":
      return [{ reason: "RolloutHeld", message: `Its rollout to ${to} failed and is held${why}.` }];
    case "rolled-back":
      return [{ reason: "RolledBack", message: `Its rollout failed and was rolled back${why}.` }];
  }
}
