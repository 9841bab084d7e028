/** Autoscaler: how many replicas a workload has, by what is measured of it. */
import {
  type AutoscalerSpec,
  HOLD_MOST_MS,
  PERCENT_MOST,
  type ScalePace,
  TARGET_KINDS,
  TARGET_MOST,
  WINDOW_MOST_MS,
} from "../model/autoscaler.ts";
import { SCALED_REPLICAS_MOST } from "../model/policy.ts";
import type { No } from "../protocol/no.ts";
import { type Bad, isCount } from "./well-formed/malformed-amounts.ts";
import { workloadKey } from "../model/ids.ts";
import type { WrittenDefinition } from "./kind-definition.ts";

export const autoscalerDefinition: WrittenDefinition<"Autoscaler"> = {
  kind: "Autoscaler",
  plural: "autoscalers",
  shortNames: ["as"],
  scope: "tenant",
  writer: "people",
  deletedBy: "user",
  isMeasured: true,
  applyStep: 100,
  malformed: malformedAutoscaler,
  references: ({ workload }, namespace) => [
    { key: workloadKey(namespace, workload), mustStay: false },
  ],
};

function malformedAutoscaler(spec: AutoscalerSpec, bad: Bad): No | undefined {
  const { workload, min, max, target, readiness, up, down, manualHoldMs = 0 } = spec;
  if (workload === "") return bad("spec.workload", "the name of a workload", "(none)");
  // A workload that somebody has scaled to nothing is switched off, and nobody brings it back (AS4).
  if (!isFrom(min, 1, SCALED_REPLICAS_MOST)) {
    return bad("spec.min", `a whole number from 1 to ${SCALED_REPLICAS_MOST}`, min);
  }
  if (!isFrom(max, min, SCALED_REPLICAS_MOST)) {
    return bad("spec.max", `a whole number from ${min} to ${SCALED_REPLICAS_MOST}`, max);
  }
  if (!TARGET_KINDS.includes(target.kind)) {
    return bad("spec.target.kind", TARGET_KINDS.join(" or "), target.kind);
  }
  const hasName = target.name !== undefined && target.name !== "";
  if (hasName !== (target.kind === "metric")) {
    return bad("spec.target.name", "the name of a metric, of a metric only", target.name ?? "none");
  }
  if (!isFrom(target.value, 1, TARGET_MOST)) {
    return bad("spec.target.value", `a whole number from 1 to ${TARGET_MOST}`, target.value);
  }
  if (readiness !== undefined && !isFrom(readiness, 1, max)) {
    return bad("spec.readiness", `a whole number from 1 to ${max}`, readiness);
  }
  if (!isFrom(manualHoldMs, 0, HOLD_MOST_MS)) {
    return bad("spec.manualHoldMs", `a whole number up to ${HOLD_MOST_MS}`, manualHoldMs);
  }
  return malformedPace("spec.up", up, bad) ?? malformedPace("spec.down", down, bad);
}

const isFrom = (value: number, least: number, most: number): boolean =>
  isCount(value) && value >= least && value <= most;

const MOST: Readonly<Record<keyof ScalePace, number>> = {
  windowMs: WINDOW_MOST_MS,
  periodMs: WINDOW_MOST_MS,
  replicas: SCALED_REPLICAS_MOST,
  percent: PERCENT_MOST,
};

function malformedPace(field: string, pace: ScalePace | undefined, bad: Bad): No | undefined {
  for (const name of ["windowMs", "periodMs", "replicas", "percent"] as const) {
    const value = pace?.[name] ?? 0;
    if (isFrom(value, 0, MOST[name])) continue;
    return bad(`${field}.${name}`, `a whole number up to ${MOST[name]}`, value);
  }
  return undefined;
}
