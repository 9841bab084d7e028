/**
 * What an autoscaler last saw and what it makes of it, worked out when it is read: by the same
 * questions that the controller asks, so that the shown reason is the one that counts.
 */
import { Type } from "typebox";
import { targetMillis } from "../../../core/model/autoscaler.ts";
import type { Autoscaler } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { replicasNeeded } from "../../../core/rules/scale/desired-replicas.ts";
import { type ScaleNow, scaleNow } from "../../../core/rules/scale/scale-now.ts";
import { type Obstructed, obstructedBy } from "../../../core/rules/scale/scale-obstacle.ts";
import { answerText, idleText } from "../../../core/propose/scale/scale-text.ts";
import { rfc3339Millis } from "../../rfc3339.ts";
import { fields, text, time } from "../../schema/shapes.ts";
import { type Condition, conditionsSchema, writeConditions } from "./condition.ts";

/**
 * ScalingActive: whether it decides at all. AbleToScale: whether more replicas could serve.
 * CapacityShort: replicas wait for room alone, which is what more machines would help against.
 */
export const SCALE_CONDITIONS = ["ScalingActive", "AbleToScale", "CapacityShort"] as const;

const step = (description: string) =>
  Type.Optional(
    fields(description, {
      at: time("When."),
      from: Type.Integer({ description: "The number of replicas before." }),
      to: Type.Integer({ description: "The number of replicas after." }),
    }),
  );

export const autoscalerStatus = fields("The observed load and the decisions.", {
  replicas: Type.Optional(
    Type.Integer({ description: "The number of replicas in the spec of the workload." }),
  ),
  needed: Type.Optional(
    Type.Integer({ description: "The number of replicas that the observed load needs." }),
  ),
  desired: Type.Optional(Type.Integer({ description: "The number of replicas of the next step." })),
  reason: text("The reason, in a sentence."),
  observed: Type.Optional(
    fields("The latest sample.", {
      at: time("When it was committed."),
      load: Type.Number({ description: "The average load of the sampled replicas." }),
      covered: Type.Integer({ description: "The number of replicas with a sample." }),
      of: Type.Integer({ description: "The number of serving replicas." }),
      observation: Type.Integer({ description: "Its sequence number, which decisions cite." }),
      missing: Type.Optional(text("A serving replica without a sample, and why.")),
    }),
  ),
  lastUp: step("The last step up."),
  lastDown: step("The last step down."),
  conditions: Type.Optional(conditionsSchema),
});

interface Seen {
  readonly now: ScaleNow;
  readonly obstructed: Obstructed | undefined;
}

function seenOf(autoscaler: Autoscaler, objects: ObjectIndex): Seen {
  const now = scaleNow(objects, autoscaler);
  const { workload } = now;
  const atMs = autoscaler.status.observed?.atMs ?? 0;
  return { now, obstructed: workload && obstructedBy(objects, workload, atMs) };
}

export function writeAutoscalerStatus(autoscaler: Autoscaler, objects: ObjectIndex) {
  const { observed, lastUp, lastDown } = autoscaler.status;
  const seen = seenOf(autoscaler, objects);
  const { now } = seen;
  return {
    ...(now.workload === undefined ? {} : { replicas: now.workload.spec.replicas }),
    ...(observed === undefined || observed.covered === 0
      ? {}
      : { needed: replicasNeeded(observed.sumMillis, targetMillis(autoscaler.spec.target)) }),
    ...(now.kind === "idle" ? {} : { desired: now.answer.to }),
    reason: now.kind === "idle" ? idleText(autoscaler, now) : answerText(autoscaler, now),
    ...(observed === undefined
      ? {}
      : {
          observed: {
            at: rfc3339Millis(observed.atMs),
            load: loadOf(autoscaler) ?? 0,
            covered: observed.covered,
            of: observed.of,
            observation: observed.seq,
            ...(observed.missing === undefined ? {} : { missing: observed.missing }),
          },
        }),
    ...(lastUp === undefined ? {} : { lastUp: writeStep(lastUp) }),
    ...(lastDown === undefined ? {} : { lastDown: writeStep(lastDown) }),
    conditions: writeConditions(conditionsOf(autoscaler, seen)),
  };
}

const writeStep = (of: { readonly atMs: number; readonly from: number; readonly to: number }) => ({
  at: rfc3339Millis(of.atMs),
  from: of.from,
  to: of.to,
});

/** With one digit after the point, which is all that samples are good for. */
function loadOf({ status: { observed } }: Autoscaler): number | undefined {
  if (observed === undefined || observed.covered === 0) return undefined;
  return Math.round(observed.sumMillis / observed.covered / 100) / 10;
}

/** e.g. "64/70% cpu" */
export const loadText = (autoscaler: Autoscaler): string =>
  `${loadOf(autoscaler) ?? "?"}/${scaleTargetText(autoscaler)}`;

/** e.g. "70% cpu" */
export function scaleTargetText({ spec: { target } }: Autoscaler): string {
  const { kind, name = "", value } = target;
  return `${value}${{ cpu: "% cpu", requests: "/s", metric: ` ${name}` }[kind]}`;
}

/** What stands in the way, or what it does. */
export function wordText(autoscaler: Autoscaler, objects: ObjectIndex): string {
  const { now, obstructed } = seenOf(autoscaler, objects);
  if (now.kind === "idle") return now.idle;
  const isUp = now.answer.to > now.workload.spec.replicas;
  if (isUp && obstructed !== undefined) return `refused: ${obstructed.reason}`;
  return now.answer.limit === undefined
    ? now.answer.why
    : `${now.answer.why} (${now.answer.limit})`;
}

const CAMEL = /(?:^|-)([a-z])/g;
const camel = (words: string): string =>
  words.replace(CAMEL, (_, letter: string) => letter.toUpperCase());

function conditionsOf(autoscaler: Autoscaler, { now, obstructed }: Seen): readonly Condition[] {
  const sinceMs = autoscaler.status.observed?.atMs ?? autoscaler.meta.createdMs;
  const isIdle = now.kind === "idle";
  const isShort = obstructed?.reason === "capacity";
  const free = "All its replicas are placed.";
  return [
    {
      type: "ScalingActive",
      status: isIdle ? "False" : "True",
      reason: isIdle ? camel(now.idle) : camel(now.answer.why),
      message: `${isIdle ? idleText(autoscaler, now) : answerText(autoscaler, now)}.`,
      sinceMs,
    },
    {
      type: "AbleToScale",
      status: obstructed === undefined ? "True" : "False",
      reason: obstructed === undefined ? "AllPlaced" : camel(obstructed.reason),
      message:
        obstructed === undefined ? free : `More replicas would not help: ${obstructed.text}.`,
      sinceMs,
    },
    {
      type: "CapacityShort",
      status: isShort ? "True" : "False",
      reason: isShort ? "NoRoom" : "RoomIsNotShort",
      message: isShort ? `${obstructed.text}.` : "No replica of it waits only for room.",
      sinceMs,
    },
  ];
}
