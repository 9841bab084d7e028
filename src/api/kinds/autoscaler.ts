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
  fields(`How fast it may ask for ${more}.`, {
    window: Type.Optional(
      duration(`How long ${more} must have been wished for.`, formatDuration(usual.windowMs)),
    ),
    replicas: Type.Optional(
      wholeNumber("The most replicas in one step.", { from: 0, to: SCALED_REPLICAS_MOST }),
    ),
    percent: Type.Optional(
      wholeNumber(
        "The most in one step, as a part of those there are. The larger of both counts.",
        {
          from: 0,
          to: PERCENT_MOST,
        },
      ),
    ),
    period: Type.Optional(
      duration("The least time between two such steps.", formatDuration(usual.periodMs)),
    ),
  });

const spec = fields("What is scaled, by what, and within which bounds.", {
  workload: name("A service of the same tenant. Nobody else scales it."),
  min: wholeNumber("The fewest replicas.", count),
  max: wholeNumber("The most replicas.", count),
  target: fields("What one replica is to have. One of these.", {
    cpu: Type.Optional(wholeNumber("Percent of the CPU that it asks for.", value)),
    requests: Type.Optional(wholeNumber("Requests a second.", value)),
    metric: Type.Optional(
      fields("Whatever is pushed under a name.", {
        name: word("What it is pushed as."),
        value: wholeNumber("What one replica is to have of it.", value),
      }),
    ),
  }),
  readiness: Type.Optional(
    wholeNumber("So many are to serve: one more is asked for each that is lost for now.", count),
  ),
  up: Type.Optional(pace("more", PACE_UP)),
  down: Type.Optional(pace("fewer", PACE_DOWN)),
  manualHold: Type.Optional(
    duration("How long a number is left alone that somebody else wrote.", "5m0s"),
  ),
});
type Written = Type.Static<typeof spec>;

export const autoscalerKind = defineKind({
  kind: "Autoscaler",
  description: "Gives a service as many replicas as its load asks for.",
  spec,
  status: autoscalerStatus,
  planeConditions: SCALE_CONDITIONS,
  columns: [
    {
      name: "Workload",
      type: "string",
      description: "What is scaled.",
      cell: (autoscaler) => autoscaler.spec.workload,
    },
    {
      name: "Load",
      type: "string",
      description: "What a replica had when it was last observed, and what it is to have.",
      cell: loadText,
    },
    {
      name: "Min",
      type: "integer",
      description: "The fewest replicas.",
      cell: (autoscaler) => autoscaler.spec.min,
    },
    {
      name: "Max",
      type: "integer",
      description: "The most replicas.",
      cell: (autoscaler) => autoscaler.spec.max,
    },
    {
      name: "Replicas",
      type: "string",
      description:
        "As many as there are to be, and what the load asks for if that is another number.",
      cell: (autoscaler, objects) => {
        const { replicas = 0, desired = replicas } = writeAutoscalerStatus(autoscaler, objects);
        return replicas === desired ? `${replicas}` : `${replicas}→${desired}`;
      },
    },
    {
      name: "State",
      type: "string",
      description: "What it does, or what keeps it from that, in a word.",
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
    reader.mistake("spec.max", `found ${of.max}; expected no fewer than min, which is ${of.min}.`);
  }
  if (of.readiness !== undefined && of.readiness > of.max) {
    const expected = `no more than max, which is ${of.max}`;
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
