/**
 * What is wrong with a workload, the worst first: replicas that crash, fail their probes or have
 * lost their node, and a rollout that failed. One replica stands for all with the same reason.
 * What a replica merely waits for is no problem of its workload; its progress tells of it.
 */
import { Type } from "typebox";
import type { Replica, Workload } from "../../../core/model/objects.ts";
import { fields, text } from "../../schema/shapes.ts";
import { replicaReason } from "./stage-reason.ts";

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
): readonly WorkloadProblem[] {
  const found = new Map<ReplicaProblem, { readonly first: Replica; count: number }>();
  for (const replica of replicas) {
    const { reason } = replicaReason(replica.status);
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
    const message = `${like} ${replicaReason(first.status).message}.`;
    return [{ reason, message, replica: name, ...causeOf(first) }];
  });
  return [...ofReplicas, ...rolloutProblem(workload)];
}

/** A replica that starts may have an end that is long past, and its probe is what counts. */
function causeOf({ status }: Replica): Pick<WorkloadProblem, "cause" | "failures"> {
  const { stage, failures, lastEnd, failingProbe } = status;
  const cause = stage === "failed" ? lastEnd : failingProbe?.said;
  return {
    ...(cause === undefined ? {} : { cause }),
    ...(stage === "failed" ? { failures } : {}),
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
