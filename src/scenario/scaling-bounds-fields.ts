/**
 * What a policy revision of a file lets autoscalers do: `autoscaling: { min: 2, max: 6, step: 1,
 * stabilization: 30s }`.
 */
import type { ScalingBounds } from "../core/model/policy.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import type { Cursor } from "./cursor.ts";

export function readScalingBounds(cursor: Cursor): ScalingBounds {
  const fields = cursor.fields(["min", "max", "step", "stabilization"]);
  return {
    ...(fields.has("min") ? { minReplicas: fields.need("min").integer(0) } : {}),
    ...(fields.has("max") ? { maxReplicas: fields.need("max").integer(0) } : {}),
    ...(fields.has("step") ? { stepMost: fields.need("step").integer(1) } : {}),
    ...(fields.has("stabilization")
      ? { stabilizationMs: fields.need("stabilization").durationMs() }
      : {}),
  };
}

export const plainScalingBounds = (of: ScalingBounds): PlainFields => ({
  ...(of.minReplicas === undefined ? {} : { min: of.minReplicas }),
  ...(of.maxReplicas === undefined ? {} : { max: of.maxReplicas }),
  ...(of.stepMost === undefined ? {} : { step: of.stepMost }),
  ...(of.stabilizationMs === undefined
    ? {}
    : { stabilization: formatDuration(of.stabilizationMs) }),
});
