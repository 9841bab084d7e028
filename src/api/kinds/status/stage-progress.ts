/**
 * Where the replicas of a workload are on their way: how many in each stage, since when the oldest
 * of them, who moves them next and until when. Nothing is shown as not ready without saying where
 * it stopped.
 */
import { Type } from "typebox";
import type { Replica, Workload } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { type Stage, STAGES } from "../../../core/model/stage.ts";
import { rfc3339, rfc3339Millis } from "../../rfc3339.ts";
import { fields, text, time } from "../../schema/shapes.ts";
import { reasonAmong, stageReason } from "./stage-reason.ts";

/**
 * Two more than replicas have: an index that has none yet, and one that was asked to stop, whatever
 * it does.
 */
type Step = Stage | "missing" | "stopping";

export const progressSchema = Type.Array(
  fields("The replicas in one stage.", {
    stage: text(
      "A stage; missing for indexes without a replica, stopping for replicas being stopped.",
    ),
    replicas: Type.Integer({ description: "The number of replicas." }),
    oldest: time("Since when the longest-waiting one is there."),
    owner: text("The component that acts next. Empty: none, they are in their final stage."),
    message: text("What each of them waits for."),
    nodes: Type.Optional(
      Type.Array(Type.String(), { description: "Their nodes; the first three." }),
    ),
    deadline: Type.Optional(time("The deadline of the first of them.")),
    atDeadline: Type.Optional(text("What happens at the deadline.")),
  }),
  { description: "The replicas by stage, in the order of the stages." },
);

type Progress = Type.Static<typeof progressSchema>[number];

const ORDER: readonly Step[] = ["missing", ...STAGES, "stopping"];

const DONE: ReadonlySet<string> = new Set(["ready", "serving", "running", "succeeded"]);

export function writeProgress(
  workload: Workload,
  of: {
    readonly replicas: readonly Replica[];
    readonly missing: number;
    readonly objects: ObjectIndex;
  },
): Progress[] {
  const { replicas, missing, objects } = of;
  const steps = new Map<Step, Replica[]>();
  for (const replica of replicas) {
    const step = stepOf(replica);
    const others = steps.get(step);
    if (others === undefined) steps.set(step, [replica]);
    else others.push(replica);
  }
  return ORDER.flatMap((step) => {
    if (step === "missing") return missing > 0 ? [missingRow(workload, missing)] : [];
    const there = steps.get(step);
    return there === undefined ? [] : [rowOf(workload, step, there, objects)];
  });
}

const stepOf = ({ status }: Replica): Step =>
  status.stopping === undefined || status.stage === "released" ? status.stage : "stopping";

const missingRow = ({ meta, status }: Workload, count: number): Progress => ({
  stage: "missing",
  replicas: count,
  oldest: rfc3339Millis(status.templateSinceMs ?? meta.createdMs),
  owner: "admit",
  message: "is not admitted yet",
});

function rowOf(
  workload: Workload,
  step: Exclude<Step, "missing">,
  there: readonly Replica[],
  objects: ObjectIndex,
): Progress {
  const first = there.reduce((oldest, each) => (sinceOf(each) < sinceOf(oldest) ? each : oldest));
  const all = [...new Set(there.flatMap(({ status }) => status.node ?? []))].toSorted();
  const { message } =
    step === "stopping" || step === "admitted" ? reasonAmong(objects, first) : stageReason(step);
  return {
    stage: step,
    replicas: there.length,
    oldest: rfc3339Millis(sinceOf(first)),
    owner: ownerOf(step, all),
    message,
    ...(all.length === 0 ? {} : { nodes: all.slice(0, 3) }),
    ...deadlineOf(workload, step, first),
  };
}

const sinceOf = ({ status }: Replica): number => status.stopping?.sinceMs ?? status.stageSinceMs;

function ownerOf(step: Exclude<Step, "missing">, nodes: readonly string[]): string {
  switch (step) {
    case "admitted":
    case "failed":
    case "released":
      return "admit";
    case "queued":
      return "place";
    case "bound":
    case "starting":
    case "stopping":
      return nodes.length === 1 ? `agent:${nodes[0]}` : `the agents of ${nodes.length} nodes`;
    case "unknown":
      return "node-health, then release-lost";
    default:
      return "";
  }
}

/** What objects know of; when a controller looks again is said in `/decisions`. */
function deadlineOf(
  { spec }: Workload,
  step: Step,
  first: Replica,
): Pick<Progress, "deadline" | "atDeadline"> {
  const { template } = first.spec;
  const at = (ms: number, atDeadline: string) => ({
    deadline: rfc3339Millis(sinceOf(first) + ms),
    atDeadline,
  });
  if (step === "queued" && spec.gang !== undefined) {
    return at(spec.gang.deadlineMs, "the gang returns its quota for a while");
  }
  if (step === "stopping" && template.run !== undefined) {
    return at(template.run.stopGraceMs, "its process is killed");
  }
  if (step === "unknown" && template.replaceAfterMs !== undefined) {
    return at(template.replaceAfterMs, "it is replaced, once its node is fenced");
  }
  return {};
}

/**
 * `1 queued since 2026-01-01T12:00:05Z, 1 starting on n3 since …`, of those who are not where they
 * should be.
 */
export function behindText(progress: readonly Progress[]): string {
  return progress
    .filter(({ stage }) => !DONE.has(stage))
    .map(({ stage, replicas, oldest, nodes = [] }) => {
      const where = nodes.length === 1 ? ` on ${nodes[0]}` : "";
      return `${replicas} ${stage}${where} since ${rfc3339(Date.parse(oldest))}`;
    })
    .join(", ");
}
