/** The autoscaler of a workload, and its own status, for explanations of the workload. */
import { scaledWorkload } from "../../core/model/autoscaler.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Autoscaler } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { scaleTargetText, writeAutoscalerStatus } from "../kinds/status/autoscaler-status.ts";
import type { Scaling } from "./explanation.ts";

/** A workload has one at most (AS1). */
export function autoscalerOf(objects: ObjectIndex, workload: ObjectKey): Autoscaler | undefined {
  for (const autoscaler of objects.all("Autoscaler").values()) {
    if (scaledWorkload(autoscaler) === workload) return autoscaler;
  }
  return undefined;
}

export function scalingOf(autoscaler: Autoscaler, objects: ObjectIndex, nowMs: number): Scaling {
  const { meta, spec, status: kept } = autoscaler;
  const shown = writeAutoscalerStatus(autoscaler, objects);
  const { needed, observed, lastUp, lastDown, reason, conditions } = shown;
  const steps = [lastUp, lastDown].filter((step) => step !== undefined);
  return {
    autoscaler: meta.name,
    target: scaleTargetText(autoscaler),
    min: spec.min,
    max: spec.max,
    ...(needed === undefined ? {} : { needed }),
    says: reason,
    ...(observed === undefined || kept.observed === undefined
      ? {}
      : { observed: { ...observed, ageMs: Math.max(0, nowMs - kept.observed.atMs) } }),
    steps: steps.toSorted((a, b) => (a.at < b.at ? 1 : -1)),
    conditions: conditions.map(({ type, status, reason: why, message }) => ({
      type,
      status,
      reason: why,
      message,
    })),
  };
}
