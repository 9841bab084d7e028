/** Autoscaler: how many replicas a service has, by what it is asked to do. */
import { Type } from "typebox";
import type { Desired } from "../../core/protocol/command.ts";
import {
  type AutoscalerSpec,
  HOLD_MOST_MS,
  PACE_DOWN,
  PACE_UP,
  PERCENT_MOST,
  type ScalePace,
  type ScaleTarget,
  TARGET_MOST,
  WINDOW_MOST_MS,
} from "../../core/model/autoscaler.ts";
import { SCALED_REPLICAS_MOST } from "../../core/model/policy.ts";
import { formatDuration } from "../../quantity/duration.ts";
import type { FieldMistake } from "../api-kind.ts";
import { duration, fields, name, wholeNumber, word } from "../schema/shapes.ts";
import {
  autoscalerStatus,
  loadText,
  SCALE_CONDITIONS,
  wordText,
  writeAutoscalerStatus,
} from "./status/autoscaler-status.ts";
import { defineKind } from "./define-kind.ts";
import { SpecReader } from "./spec-reader.ts";

const count = { from: 1, to: SCALED_REPLICAS_MOST } as const;
const value = { from: 1, to: TARGET_MOST } as const;

const pace = (more: string, usual: Required<ScalePace>) =>
  fields(`How fast it may scale to ${more}.`, {
    window: Type.Optional(
      duration(`How long ${more} must have been needed.`, formatDuration(usual.windowMs)),
    ),
    replicas: Type.Optional(
      wholeNumber("The maximum number of replicas in one step.", {
        from: 0,
        to: SCALED_REPLICAS_MOST,
      }),
    ),
    percent: Type.Optional(
      wholeNumber(
        "The maximum in one step, as a share of the current replicas. The larger of the two limits applies.",
        {
          from: 0,
          to: PERCENT_MOST,
        },
      ),
    ),
    period: Type.Optional(
      duration("The minimum time between two such steps.", formatDuration(usual.periodMs)),
    ),
  });

const spec = fields("The workload to scale, its target and its bounds.", {
  workload: name("A service of the same tenant. It can have only one autoscaler."),
  min: wholeNumber("The minimum number of replicas.", count),
  max: wholeNumber("The maximum number of replicas.", count),
  target: fields("The target load of one replica. Exactly one of these.", {
    cpu: Type.Optional(wholeNumber("Percent of its CPU request.", value)),
    requests: Type.Optional(wholeNumber("Requests per second.", value)),
    metric: Type.Optional(
      fields("A metric that clients push.", {
        name: word("The name of the metric."),
        value: wholeNumber("The target value of one replica.", value),
      }),
    ),
  }),
  readiness: Type.Optional(
    wholeNumber(
      "The number of replicas that should serve: the autoscaler adds one for each that does not serve for now.",
      count,
    ),
  ),
  up: Type.Optional(pace("more", PACE_UP)),
  down: Type.Optional(pace("fewer", PACE_DOWN)),
  manualHold: Type.Optional(
    duration(
      "How long the autoscaler pauses after another client sets the number of replicas.",
      "5m0s",
    ),
  ),
});
type Written = Type.Static<typeof spec>;

export const autoscalerKind = defineKind({
  kind: "Autoscaler",
  description: "Scales a service to its load.",
  spec,
  status: autoscalerStatus,
  planeConditions: SCALE_CONDITIONS,
  columns: [
    {
      name: "Workload",
      type: "string",
      description: "The scaled workload.",
      cell: (autoscaler) => autoscaler.spec.workload,
    },
    {
      name: "Load",
      type: "string",
      description: "The load of a replica in the last sample, and its target.",
      cell: loadText,
    },
    {
      name: "Min",
      type: "integer",
      description: "The minimum number of replicas.",
      cell: (autoscaler) => autoscaler.spec.min,
    },
    {
      name: "Max",
      type: "integer",
      description: "The maximum number of replicas.",
      cell: (autoscaler) => autoscaler.spec.max,
    },
    {
      name: "Replicas",
      type: "string",
      description:
        "The desired number of replicas, and the number that the load needs if it differs.",
      cell: (autoscaler, objects) => {
        const { replicas = 0, desired = replicas } = writeAutoscalerStatus(autoscaler, objects);
        return replicas === desired ? `${replicas}` : `${replicas}→${desired}`;
      },
    },
    {
      name: "State",
      type: "string",
      description: "Its state, or why it does not scale, in one word.",
      cell: wordText,
    },
  ],
  toApi: (autoscaler, objects) => ({
    spec: writeSpec(autoscaler.spec),
    status: writeAutoscalerStatus(autoscaler, objects),
  }),
  toDesired: readSpec,
});

function readSpec(written: unknown): Desired | readonly FieldMistake[] {
  const of = written as Written;
  const reader = new SpecReader();
  if (of.max < of.min) {
    reader.mistake("spec.max", `found ${of.max}; expected at least min (${of.min}).`);
  }
  if (of.readiness !== undefined && of.readiness > of.max) {
    const expected = `at most max (${of.max})`;
    reader.mistake("spec.readiness", `found ${of.readiness}; expected ${expected}.`);
  }
  const read: AutoscalerSpec = {
    workload: of.workload,
    min: of.min,
    max: of.max,
    target: readTarget(of.target, reader),
    ...(of.readiness === undefined ? {} : { readiness: of.readiness }),
    ...(of.up === undefined ? {} : { up: readPace("spec.up", of.up, reader) }),
    ...(of.down === undefined ? {} : { down: readPace("spec.down", of.down, reader) }),
    ...(of.manualHold === undefined
      ? {}
      : {
          manualHoldMs: reader.durationMs("spec.manualHold", of.manualHold, {
            fromMs: 0,
            toMs: HOLD_MOST_MS,
          }),
        }),
  };
  return reader.mistakes.length > 0 ? reader.mistakes : { kind: "Autoscaler", spec: read };
}

function readTarget({ cpu, requests, metric }: Written["target"], reader: SpecReader): ScaleTarget {
  const given: ScaleTarget[] = [
    ...(cpu === undefined ? [] : [{ kind: "cpu" as const, value: cpu }]),
    ...(requests === undefined ? [] : [{ kind: "requests" as const, value: requests }]),
    ...(metric === undefined ? [] : [{ kind: "metric" as const, ...metric }]),
  ];
  const [first, ...others] = given;
  if (first !== undefined && others.length === 0) return first;
  const found = given.length === 0 ? "none" : given.map(({ kind }) => kind).join(" and ");
  reader.mistake("spec.target", `found ${found}; expected one of cpu, requests and metric.`);
  return { kind: "cpu", value: 1 };
}

type PaceText = NonNullable<Written["up"]>;

function readPace(field: string, of: PaceText, reader: SpecReader): ScalePace {
  const { window, period, replicas, percent } = of;
  const terms = { fromMs: 0, toMs: WINDOW_MOST_MS };
  return {
    ...(window === undefined
      ? {}
      : { windowMs: reader.durationMs(`${field}.window`, window, terms) }),
    ...(replicas === undefined ? {} : { replicas }),
    ...(percent === undefined ? {} : { percent }),
    ...(period === undefined
      ? {}
      : { periodMs: reader.durationMs(`${field}.period`, period, terms) }),
  };
}

function writeSpec(of: AutoscalerSpec): Written {
  const { workload, min, max, target, readiness, up, down, manualHoldMs } = of;
  return {
    workload,
    min,
    max,
    target: writeTarget(target),
    ...(readiness === undefined ? {} : { readiness }),
    ...(up === undefined ? {} : { up: writePace(up) }),
    ...(down === undefined ? {} : { down: writePace(down) }),
    ...(manualHoldMs === undefined ? {} : { manualHold: formatDuration(manualHoldMs) }),
  };
}

function writeTarget({ kind, name: metric = "", value: each }: ScaleTarget): Written["target"] {
  if (kind === "metric") return { metric: { name: metric, value: each } };
  return kind === "cpu" ? { cpu: each } : { requests: each };
}

const writePace = ({ windowMs, periodMs, ...bounds }: ScalePace): PaceText => ({
  ...(windowMs === undefined ? {} : { window: formatDuration(windowMs) }),
  ...bounds,
  ...(periodMs === undefined ? {} : { period: formatDuration(periodMs) }),
});
