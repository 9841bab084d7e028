/**
 * Where a thing stands: what is true of it, who does the next thing, what is waited for and by
 * when.
 */
import { countText } from "../../core/model/text/count-text.ts";
import {
  type NextStep,
  nextStepOfNode,
  nextStepOfReplica,
  nextStepOfWorkload,
} from "../../core/explain/next-step.ts";
import { recoveryBudgetKey, recoveryBudgetText } from "../../core/model/recovery-budget.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject, Replica, Workload } from "../../core/model/objects.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import { STAGES, type Stage } from "../../core/model/stage.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { reasonAmong, replicaReason } from "../kinds/status/stage-reason.ts";
import { workloadProblems } from "../kinds/status/workload-problems.ts";
import { replicasOf } from "../kinds/status/workload-status.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { decisionsAbout } from "../routes/decisions-about.ts";
import { wakeWords } from "../views/wake-words.ts";
import { shownKey } from "./commit-step.ts";
import { provisioningText } from "./provisioning-machines.ts";
import type { OwedWait, Stand } from "./explanation.ts";
import { autoscalerOf, scalingOf } from "./scaling-of.ts";

/** As of now. */
export function standNow(
  key: ObjectKey,
  object: AnyObject | undefined,
  { plane, nowMs }: { readonly plane: PlanePort; readonly nowMs: number },
): Stand {
  const { says: stands, step } = standingOf(object, plane);
  const says = `${stands}${machinesFor(object, plane.objects, nowMs)}`;
  const scaler = object?.kind === "Workload" ? autoscalerOf(plane.objects, key) : undefined;
  const keys = [
    key,
    ...(scaler === undefined ? [] : [scaler.key]),
    // The workload's controller restarts a failed replica, so it alone knows when.
    ...(object?.kind === "Replica" && object.status.stage === "failed" ? [workloadOf(object)] : []),
  ];
  const owed = keys.flatMap((each) => owedTo(each, plane, nowMs));
  return {
    exists: object !== undefined,
    says,
    owner: step.owner,
    next: step.next,
    ...(step.by === undefined
      ? {}
      : {
          by: {
            at: rfc3339Millis(step.by.atMs),
            inMs: step.by.atMs - nowMs,
            because: step.by.because,
          },
        }),
    waits: owed,
    ...(scaler === undefined ? {} : { scaling: scalingOf(scaler, plane.objects, nowMs) }),
  };
}

function owedTo(key: ObjectKey, plane: PlanePort, nowMs: number): readonly OwedWait[] {
  const { decisions, waits } = decisionsAbout(key, plane);
  return waits.map((wait) => {
    const { controller, reason, wakes, deadlineMs } = wait;
    const said = decisions.findLast(
      (each) => each.controller === controller && each.key === wait.key,
    )?.decision;
    const summary = said?.kind === "wait" && said.reason === reason ? said.because.summary : "";
    const by = rfc3339Millis(deadlineMs);
    const inMs = deadlineMs - nowMs;
    return {
      controller,
      of: shownKey(wait.key),
      reason,
      summary,
      wakes: wakeWords(wakes),
      by,
      inMs,
    };
  });
}

/** A reader of a wait for room wants to know whether more is on its way. */
function machinesFor(
  object: AnyObject | undefined,
  objects: PlanePort["objects"],
  nowMs: number,
): string {
  if (object?.kind === "Replica") return provisioningText(objects, [object], nowMs);
  if (object?.kind !== "Workload") return "";
  return provisioningText(objects, objects.replicasOf(object.key).values(), nowMs);
}

/** As of an earlier revision: what each controller waited for then is in the timeline. */
export function standThen(object: AnyObject | undefined): Stand {
  const says =
    object === undefined ? "It did not exist." : `${stageText(object)} Later events are known.`;
  const next = "omit --at and --revision to see later events";
  return { exists: object !== undefined, says, owner: "nobody", next, waits: [] };
}

function stageText(object: AnyObject): string {
  if (object.kind === "Replica") return `It ${replicaReason(object.status).message}.`;
  if (object.kind === "Node") return `Its health was ${object.status.health}.`;
  return "It existed.";
}

function standingOf(
  object: AnyObject | undefined,
  { objects }: PlanePort,
): { readonly says: string; readonly step: NextStep } {
  switch (object?.kind) {
    case "Replica": {
      const { node, policyRevision } = object.status;
      const under = policyRevision === undefined ? "" : `, under policy ${policyRevision}`;
      const where =
        node === undefined
          ? ""
          : ` It is bound to node ${node}${under}${onBudget(object, objects)}.`;
      const says = `It ${reasonAmong(objects, object).message}.${where}`;
      return { says, step: nextStepOfReplica(object, objects) };
    }
    case "Node": {
      const { health } = object.status;
      const held = objects.replicasOn(object.meta.name).size;
      const says = `It is ${health}, with ${countText(held, "replica")}.`;
      return { says, step: nextStepOfNode(object, objects) };
    }
    case "Workload":
      return ofWorkload(object, objects);
    case undefined:
      return { says: "It does not exist.", step: { owner: "nobody", next: "nothing" } };
    default:
      return { says: "It exists.", step: { owner: "nobody", next: "nothing" } };
  }
}

/** e.g. ", on recovery budget eu-3 (granted by policy revision r-2 until 2026-11-16T12:30:00Z)" */
function onBudget({ status: { budget = "" } }: Replica, objects: PlanePort["objects"]): string {
  if (budget === "") return "";
  const held = objects.get(recoveryBudgetKey(budget));
  return `, on ${held?.kind === "RecoveryBudget" ? recoveryBudgetText(held) : `recovery budget ${budget}`}`;
}

function ofWorkload(
  workload: Workload,
  objects: PlanePort["objects"],
): { readonly says: string; readonly step: NextStep } {
  const stages = new Map<Stage, number>();
  for (const { status } of objects.replicasOf(workload.key).values()) {
    stages.set(status.stage, (stages.get(status.stage) ?? 0) + 1);
  }
  const counts = STAGES.filter((stage) => stages.has(stage)).map(
    (stage) => `${stages.get(stage)} ${stage}`,
  );
  const desired = `${workload.spec.replicas} desired`;
  const problems = workloadProblems(workload, replicasOf(workload, objects), objects);
  const says = [
    `Of its replicas, ${[desired, ...counts].join(", ")}.`,
    ...problems.map(({ message }) => message),
  ].join(" ");
  return { says, step: nextStepOfWorkload(workload, stages) };
}
