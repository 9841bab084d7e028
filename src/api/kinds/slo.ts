/** Slo: an objective for the control plane itself. */
import { Type } from "typebox";
import type { Desired } from "../../core/protocol/command.ts";
import type { Slo } from "../../core/model/objects.ts";
import { hasClass, INDICATORS, SLO_WINDOW_MS, type SloSpec, WHOLE } from "../../core/model/slo.ts";
import { formatDuration } from "../../quantity/duration.ts";
import type { FieldMistake } from "../api-kind.ts";
import { choice, duration, fields, name, text } from "../schema/shapes.ts";
import { defineKind } from "./define-kind.ts";
import {
  burnText,
  percentText,
  readingOf,
  sloStatus,
  writeSloStatus,
} from "./status/slo-status.ts";
import { SpecReader } from "./spec-reader.ts";

const spec = fields("The measurement, its threshold and the objective.", {
  indicator: choice(
    "bind-latency: from admission to bind. queue-wait: time in the queue. recovery: duration of recoveries of services. fairness: difference between the shares of tenants while one of them waits. explain-latency: duration of explanations. watch-lag: from commit to the watchers.",
    INDICATORS,
  ),
  priorityClass: Type.Optional(
    name("Only replicas of this class count. For bind-latency and queue-wait only. Default: all."),
  ),
  threshold: text(
    "Samples up to it are good: a duration such as 2s, or for fairness a share of all resources such as 10%.",
  ),
  objective: text("The share of good samples to reach, such as 99.9%."),
  window: Type.Optional(duration("The window.", "1h")),
});

/** A percent of a million. */
const PERCENT = WHOLE / 100;
const USUAL_WINDOW = "1h";
/** A day: a longer wait is never good. */
const THRESHOLD_MOST_MS = 86_400_000;

export const sloKind = defineKind({
  kind: "Slo",
  description: "A service level objective of the control plane itself, and its state.",
  spec,
  status: sloStatus,
  columns: [
    {
      name: "Indicator",
      type: "string",
      description: "The measurement.",
      cell: (slo) => slo.spec.indicator,
    },
    {
      name: "Objective",
      type: "string",
      description: "The objective and the threshold.",
      cell: ({ spec: of }) => `${objectiveText(of)} within ${thresholdText(of)}`,
    },
    {
      name: "Now",
      type: "string",
      description: "The share of good samples in the window.",
      cell: (slo, objects) => {
        const reading = readingOf(slo, objects);
        return reading === undefined ? "unmeasured" : percentText(reading.good);
      },
    },
    {
      name: "Budget",
      type: "string",
      description: "The remaining error budget.",
      cell: (slo, objects) => percentText(readingOf(slo, objects)?.budgetLeft ?? 1),
    },
    {
      name: "Burn",
      type: "string",
      description: "The burn rate over five minutes and over an hour.",
      cell: (slo, objects) => {
        const { burn5m = 0, burn1h = 0 } = readingOf(slo, objects) ?? {};
        return `${burnText(burn5m)}/${burnText(burn1h)}`;
      },
    },
    {
      name: "Samples",
      type: "integer",
      description: "The number of samples in the window.",
      isWide: true,
      cell: (slo, objects) => readingOf(slo, objects)?.measured ?? 0,
    },
  ],
  toApi: (slo, objects) => ({
    spec: writeSpec(slo),
    status: writeSloStatus(readingOf(slo, objects)),
  }),
  toDesired: readSpec,
});

function readSpec(written: unknown): Desired | readonly FieldMistake[] {
  const {
    indicator,
    priorityClass,
    threshold,
    objective,
    window = USUAL_WINDOW,
  } = written as Type.Static<typeof spec>;
  const reader = new SpecReader();
  if (priorityClass !== undefined && !hasClass(indicator)) {
    const only = "only bind-latency and queue-wait are measured by class";
    reader.mistake("spec.priorityClass", `found "${priorityClass}"; ${only}: leave it out.`);
  }
  const { least: fromMs, most: toMs } = SLO_WINDOW_MS;
  const read: SloSpec = {
    indicator,
    ...(priorityClass === undefined ? {} : { priorityClass }),
    threshold:
      indicator === "fairness"
        ? readPart(reader, "spec.threshold", threshold)
        : reader.durationMs("spec.threshold", threshold, { fromMs: 1, toMs: THRESHOLD_MOST_MS }),
    objective: readPart(reader, "spec.objective", objective),
    windowMs: reader.durationMs("spec.window", window, { fromMs, toMs }),
  };
  return reader.mistakes.length > 0 ? reader.mistakes : { kind: "Slo", spec: read };
}

/** More than nothing and less than everything, to a ten-thousandth of a percent. */
function readPart(reader: SpecReader, field: string, written: string): number {
  const percent = /^(\d{1,2}(?:\.\d{1,4})?)%$/.exec(written)?.[1];
  const part = Math.round(Number(percent ?? 0) * PERCENT);
  if (part > 0) return part;
  const expected = "a percentage above 0% and below 100%, such as 99.9%";
  reader.mistake(field, `found "${written}"; expected ${expected}.`);
  return 0;
}

function writeSpec({ spec: of }: Slo): Type.Static<typeof spec> {
  return {
    indicator: of.indicator,
    ...(of.priorityClass === undefined ? {} : { priorityClass: of.priorityClass }),
    threshold: thresholdText(of),
    objective: objectiveText(of),
    window: formatDuration(of.windowMs),
  };
}

const objectiveText = ({ objective }: SloSpec): string => `${objective / PERCENT}%`;

const thresholdText = ({ indicator, threshold }: SloSpec): string =>
  indicator === "fairness" ? `${threshold / PERCENT}%` : formatDuration(threshold);
