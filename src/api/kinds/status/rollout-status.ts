/** How far a service has come on its way to another template, and which templates it had before. */
import { partAre } from "../../../core/model/text/count-text.ts";
import { Type } from "typebox";
import type { Replica, Workload } from "../../../core/model/objects.ts";
import {
  isMoving,
  rolloutBounds,
  rolloutSpec,
  rollsOut,
  wantedOf,
} from "../../../core/model/rollout.ts";
import { indexCount } from "../../../core/model/index-set.ts";
import { rfc3339 } from "../../rfc3339.ts";
import { choice, fields, numberMap, text, time } from "../../schema/shapes.ts";
import type { Condition } from "./condition.ts";
import { showTemplate, templateFields } from "../template-schema.ts";

const count = (description: string) => Type.Integer({ description });

export const rolloutStatusFields = {
  generations: Type.Optional(
    Type.Array(
      fields("The replicas of one generation of the template.", {
        generation: count("The generation of spec at which the template became this one."),
        wanted: count("The number wanted now."),
        replicas: count("The number that exist and are not released."),
        readyReplicas: count("The number that are ready or serving."),
        served: Type.Boolean({ description: "Whether it was ever fully rolled out." }),
        stages: numberMap("The number in each stage."),
      }),
      { description: "A service's replicas by generation, the newest first." },
    ),
  ),
  rollout: Type.Optional(
    fields("The rollout to another template. Absent if all replicas have the template of spec.", {
      stage: choice(
        "rolling: moving to the template of spec. going-back: it failed and is rolling back. held: it failed and stays. rolled-back: it failed and has rolled back.",
        ["rolling", "going-back", "held", "rolled-back"],
      ),
      from: Type.Optional(count("The last fully rolled out generation when it began.")),
      to: count("The target generation."),
      since: time("When it began."),
      updated: count("The number of replicas of that generation wanted so far."),
      maxSurge: count("How many replicas beyond spec.replicas may exist now, computed from spec."),
      maxUnavailable: count("How many of spec.replicas may be unavailable now."),
      step: Type.Optional(count("The current step, from 1; absent after the last.")),
      paused: Type.Optional(Type.Boolean({ description: "Whether it is paused." })),
      reason: Type.Optional(text("Why it failed, and where its replicas had stopped.")),
    }),
  ),
  history: Type.Optional(
    Type.Array(
      fields("An earlier template of spec.", {
        generation: count("The generation of spec at which it became the template."),
        since: time("When that was."),
        served: Type.Boolean({ description: "Whether it was ever fully rolled out." }),
        failed: Type.Optional(text("Why its rollout failed, if it did.")),
        template: fields("The template that berth rollout undo restores.", templateFields),
      }),
      { description: "Earlier templates, the newest last; about ten are kept." },
    ),
  ),
};

const shape = fields("", rolloutStatusFields);
type RolloutStatusText = Type.Static<typeof shape>;

export interface CountedReplicas {
  readonly replicas: readonly Replica[];
  readonly isReady: (replica: Replica) => boolean;
  readonly stages: (replicas: readonly Replica[]) => readonly (readonly [string, number])[];
}

export function writeRolloutStatus(workload: Workload, of: CountedReplicas): RolloutStatusText {
  if (!rollsOut(workload.spec)) return {};
  const { history } = workload.status;
  return {
    generations: writeGenerations(workload, of),
    ...writeProgress(workload),
    ...(history === undefined || history.length === 0
      ? {}
      : {
          history: history.map(({ generation, sinceMs, served, failed, template }) => ({
            generation,
            since: rfc3339(sinceMs),
            served,
            ...(failed === undefined ? {} : { failed }),
            template: showTemplate(template),
          })),
        }),
  };
}

type Generations = NonNullable<RolloutStatusText["generations"]>;

function writeGenerations(workload: Workload, of: CountedReplicas): Generations {
  const { spec, status } = workload;
  const wanted = new Map(
    wantedOf(workload).map(({ generation, indexes }) => [
      generation,
      indexCount(indexes, spec.replicas),
    ]),
  );
  const byGeneration = new Map<number, Replica[]>();
  for (const generation of wanted.keys()) byGeneration.set(generation, []);
  for (const replica of of.replicas) {
    const { generation } = replica.spec;
    const others = byGeneration.get(generation);
    if (others === undefined) byGeneration.set(generation, [replica]);
    else others.push(replica);
  }
  const hasServed = (generation: number): boolean =>
    generation === status.templateGeneration
      ? status.served === true
      : (status.history ?? []).some((past) => past.generation === generation && past.served);
  return [...byGeneration]
    .toSorted(([a], [b]) => b - a)
    .map(([generation, replicas]) => ({
      generation,
      wanted: wanted.get(generation) ?? 0,
      replicas: replicas.filter((each) => each.status.stage !== "released").length,
      readyReplicas: replicas.filter(of.isReady).length,
      served: hasServed(generation),
      stages: Object.fromEntries(of.stages(replicas)),
    }));
}

function writeProgress({ spec, status }: Workload): Pick<RolloutStatusText, "rollout"> {
  const { rollout } = status;
  if (rollout === undefined) return {};
  const { stage, from, to, sinceMs, begun, step, reason } = rollout;
  const { steps = [], paused } = rolloutSpec(spec);
  const isForward = stage === "rolling";
  const { surge, unavailable } = rolloutBounds(spec);
  return {
    rollout: {
      stage,
      ...(from === undefined ? {} : { from }),
      to,
      since: rfc3339(sinceMs),
      updated: indexCount(begun, spec.replicas),
      maxSurge: surge,
      maxUnavailable: unavailable,
      ...(isForward && step < steps.length ? { step: step + 1 } : {}),
      ...(isForward && paused === true ? { paused } : {}),
      ...(reason === undefined ? {} : { reason }),
    },
  };
}

type Checked = Pick<Condition, "status" | "reason" | "message">;

/** What `Progressing` says while a service is not all of the template of its spec. */
export function rolloutProgress(workload: Workload, ready: number): Checked | undefined {
  const { spec, status } = workload;
  const { rollout } = status;
  if (rollout === undefined) return undefined;
  const { to, stage, reason = "" } = rollout;
  const far = `${partAre(indexCount(rollout.begun, spec.replicas), spec.replicas, "replica")} of generation ${to}, ${ready} of them ready`;
  if (stage === "held") {
    return { status: "False", reason: "RolloutFailed", message: `${far}; ${reason}.` };
  }
  if (stage === "rolled-back") {
    const failed = `Generation ${status.templateGeneration} failed: ${reason}`;
    return { status: "False", reason: "RolledBack", message: `${failed}; rolled back to ${to}.` };
  }
  if (stage === "going-back") {
    return { status: "True", reason: "RollingBack", message: `${far}; ${reason}.` };
  }
  if (isMoving(rollout) && rolloutSpec(spec).paused === true) {
    return { status: "Unknown", reason: "RolloutPaused", message: `${far}; it is paused.` };
  }
  return { status: "True", reason: "RollingOut", message: `${far}.` };
}
