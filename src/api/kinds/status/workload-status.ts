/**
 * What is shown of a workload: the count of its replicas in each stage, so that "two of four ready"
 * is never shown as "not ready", and where those that are not ready have stopped.
 */
import { countAre, partAre, partText } from "../../../core/model/text/count-text.ts";
import { Type } from "typebox";
import { isJob } from "../../../core/model/batch.ts";
import type { Replica, Workload } from "../../../core/model/objects.ts";
import { targetOf } from "../../../core/model/rollout.ts";
import { isReadyStage, isResting, type Stage, STAGES } from "../../../core/model/stage.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { fields, numberMap } from "../../schema/shapes.ts";
import {
  batchStatusFields,
  completionsText,
  jobConditions,
  jobProgress,
  wantedNow,
  writeBatchStatus,
} from "./batch-status.ts";
import { type Condition, conditionsSchema, writeConditions } from "./condition.ts";
import {
  recoveryConditions,
  recoveryStatusFields,
  writeRecoveryStatus,
} from "./recovery-status.ts";
import { rolloutProgress, rolloutStatusFields, writeRolloutStatus } from "./rollout-status.ts";
import { behindText, progressSchema, writeProgress } from "./stage-progress.ts";
import { isReady } from "./replica-conditions.ts";
import { reasonAmong, stageReason, waitsForQuota } from "./stage-reason.ts";
import { problemsSchema, workloadProblems } from "./workload-problems.ts";

export const workloadStatusSchema = fields("The observed state of the workload.", {
  observedGeneration: Type.Integer({
    description: "The generation of spec that this status describes.",
  }),
  templateGeneration: Type.Integer({
    description: "The generation at which the template last changed. Scaling does not change it.",
  }),
  replicas: Type.Integer({ description: "Replicas that exist and are not released." }),
  updatedReplicas: Type.Integer({ description: "Replicas of the newest template." }),
  readyReplicas: Type.Integer({ description: "Replicas that are ready, serving or running." }),
  succeededReplicas: Type.Optional(
    Type.Integer({ description: "Replicas of a batch that have succeeded." }),
  ),
  stages: numberMap("The number of replicas in each stage. Empty stages are omitted."),
  problems: problemsSchema,
  progress: progressSchema,
  ...rolloutStatusFields,
  ...batchStatusFields,
  ...recoveryStatusFields,
  conditions: conditionsSchema,
});

type WorkloadStatusText = Type.Static<typeof workloadStatusSchema>;

/** A replica of an earlier incarnation of the workload's name is not this workload's. */
export function replicasOf(workload: Workload, objects: ObjectIndex): readonly Replica[] {
  const all = [...objects.replicasOf(workload.key).values()];
  // One that was replaced stands for no index; its index is counted with the other one.
  return all.filter(
    ({ spec, status }) => spec.workloadUid === workload.meta.uid && status.superseded === undefined,
  );
}

export function writeWorkloadStatus(workload: Workload, objects: ObjectIndex): WorkloadStatusText {
  const replicas = replicasOf(workload, objects);
  const { templateGeneration } = workload.status;
  const steps = progressOf(workload, replicas, objects);
  const present = replicas.filter(({ status }) => status.stage !== "released");
  return {
    observedGeneration: workload.meta.generation,
    templateGeneration,
    replicas: present.length,
    updatedReplicas: present.filter(({ spec }) => spec.generation === templateGeneration).length,
    readyReplicas: replicas.filter(isReady).length,
    ...(workload.spec.type === "batch"
      ? { succeededReplicas: countIn(replicas, "succeeded") }
      : {}),
    stages: Object.fromEntries(countStages(replicas)),
    problems: [...workloadProblems(workload, replicas, objects)],
    progress: steps,
    ...writeRolloutStatus(workload, { replicas, isReady, stages: countStages }),
    ...writeBatchStatus(workload, objects),
    ...writeRecoveryStatus(workload, objects),
    conditions: writeConditions(
      conditionsOf(workload, replicas, { objects, behind: behindText(steps) }),
    ),
  };
}

/** Indexes that have no replica are counted as missing; of a job as many as run at once. */
function progressOf(workload: Workload, replicas: readonly Replica[], objects: ObjectIndex) {
  const { length: there } = isJob(workload)
    ? replicas.filter(({ status }) => !isResting(status.stage))
    : replicas;
  const wanted = isJob(workload) ? wantedNow(workload, objects) : workload.spec.replicas;
  const missing = workload.meta.deletingMs === undefined ? wanted - there : 0;
  return writeProgress(workload, { replicas, missing, objects });
}

/** `2/4`: how many are ready, or have ended well, of those that are wanted. */
export function readyText(workload: Workload, objects: ObjectIndex): string {
  if (isJob(workload)) return completionsText(workload, objects);
  return `${doneOf(workload, replicasOf(workload, objects))}/${workload.spec.replicas}`;
}

/** `bound 1 serving 3` */
export function stagesText(workload: Workload, objects: ObjectIndex): string {
  const counts = countStages(replicasOf(workload, objects));
  return counts.map(([stage, count]) => `${stage} ${count}`).join(" ");
}

/** The worst of its problems in one word; empty without any. */
/** The worst of its problems; without one, what the first of its waiting replicas waits for. */
export function problemText(workload: Workload, objects: ObjectIndex): string {
  const replicas = replicasOf(workload, objects);
  const [worst] = workloadProblems(workload, replicas, objects);
  if (worst !== undefined) return worst.reason;
  const waiting = replicas.find(
    ({ status: { stage, stopping } }) =>
      stopping === undefined && (stage === "admitted" || stage === "queued"),
  );
  return waiting === undefined ? "" : reasonAmong(objects, waiting).reason;
}

/** In the order in which replicas go through them. */
function countStages(replicas: readonly Replica[]): readonly (readonly [Stage, number])[] {
  const counts = new Map<Stage, number>();
  for (const { status } of replicas) counts.set(status.stage, (counts.get(status.stage) ?? 0) + 1);
  return STAGES.map((stage) => [stage, counts.get(stage) ?? 0] as const).filter(
    ([, count]) => count > 0,
  );
}

const countIn = (replicas: readonly Replica[], stage: Stage): number =>
  replicas.filter(({ status }) => status.stage === stage).length;

const doneOf = ({ spec }: Workload, replicas: readonly Replica[]): number =>
  replicas.filter(
    (replica) =>
      isReady(replica) || (spec.type === "batch" && replica.status.stage === "succeeded"),
  ).length;

interface Around {
  readonly objects: ObjectIndex;
  /** Where those are that are not ready; may be empty. */
  readonly behind: string;
}

function conditionsOf(
  workload: Workload,
  replicas: readonly Replica[],
  around: Around,
): readonly Condition[] {
  const own = ownConditions(workload, replicas, around);
  if (workload.spec.type !== "service") return own;
  return [...own, ...recoveryConditions(workload, around.objects)];
}

/** Those that take no more than a walk over the replicas. */
export function ownConditions(
  workload: Workload,
  replicas: readonly Replica[],
  { objects, behind }: Around,
): readonly Condition[] {
  const isOfJob = isJob(workload);
  const done = isOfJob ? replicas.filter(isReady).length : doneOf(workload, replicas);
  const wanted = isOfJob ? wantedNow(workload, objects) : workload.spec.replicas;
  // Times of stages are all the core keeps; a condition holds at least since the newest of them.
  const sinceMs = replicas.reduce(
    (newest, { status }) => Math.max(newest, status.stageSinceMs),
    workload.meta.createdMs,
  );
  const available: Condition = {
    type: "Available",
    status: done >= wanted ? "True" : "False",
    reason: done >= wanted ? "EnoughReady" : "NotEnoughReady",
    message: `${partAre(done, wanted, "replica")} ready${done >= wanted || behind === "" ? "" : `; ${behind}`}.`,
    sinceMs,
  };
  const isGoing = isOfJob && workload.meta.deletingMs === undefined;
  const far = isGoing ? jobProgress(workload, objects) : progress(workload, replicas, objects);
  const progressing: Condition = { type: "Progressing", ...far, sinceMs };
  if (isOfJob) return [available, progressing, ...jobConditions(workload, objects)];
  if (workload.spec.type === "service") return [available, progressing];
  const succeeded = countIn(replicas, "succeeded");
  const complete: Condition = {
    type: "Complete",
    status: succeeded >= wanted ? "True" : "False",
    reason: succeeded >= wanted ? "AllSucceeded" : "NotAllSucceeded",
    message: `${partText(succeeded, wanted, "replica")} ${wanted === 1 ? "has" : "have"} succeeded.`,
    sinceMs,
  };
  return [available, progressing, complete];
}

const isBehind = (stage: Stage): boolean => !isReadyStage(stage) && stage !== "succeeded";

type Checked = Pick<Condition, "status" | "reason" | "message">;

/**
 * Where the replicas that are wanted and not there yet have stopped: the earliest stage says most.
 */
function progress(workload: Workload, replicas: readonly Replica[], objects: ObjectIndex): Checked {
  const { replicas: wanted } = workload.spec;
  const { templateGeneration } = workload.status;
  if (workload.meta.deletingMs !== undefined) {
    const left = replicas.filter(({ status }) => !isResting(status.stage)).length;
    const message = `The workload is being deleted; ${countAre(left, "replica")} still to stop.`;
    return { status: "True", reason: "BeingDeleted", message };
  }
  const rolling = rolloutProgress(workload, readyOf(workload, replicas));
  if (rolling !== undefined) return rolling;
  const isWanted = ({ spec }: Replica): boolean =>
    spec.generation === templateGeneration && spec.index < wanted;
  const current = replicas.filter(isWanted);
  const missing = wanted - current.length;
  if (missing > 0) {
    const message = `${partAre(missing, wanted, "replica")} not admitted yet.`;
    return { status: "True", reason: "NotAdmitted", message };
  }
  const [behind] = countStages(current).filter(([stage]) => isBehind(stage));
  if (behind === undefined) return leftovers(replicas.filter((each) => !isWanted(each)));
  const [stage, count] = behind;
  const { reason, message } =
    stage === "admitted" ? waitsForQuota(objects, workload.meta.namespace) : stageReason(stage);
  return {
    status: "True",
    reason,
    message: `${partText(count, wanted, "replica")}: each ${message}.`,
  };
}

/** Of the generation that is to be everywhere. */
const readyOf = (workload: Workload, replicas: readonly Replica[]): number =>
  replicas.filter(({ spec }) => spec.generation === targetOf(workload)).filter(isReady).length;

function leftovers(unwanted: readonly Replica[]): Checked {
  const old = unwanted.filter(({ status }) => !isResting(status.stage));
  if (old.length === 0) {
    return { status: "False", reason: "Settled", message: "No replica is pending." };
  }
  const message = `${countAre(old.length, "unwanted replica")} still to stop.`;
  return { status: "True", reason: "StoppingSurplus", message };
}
