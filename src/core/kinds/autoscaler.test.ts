import { expect, test } from "vitest";
import { aScaledPlane } from "../../../test/builders/a-scaled-plane.ts";
import type { AutoscalerSpec } from "../model/autoscaler.ts";

test.each<readonly [field: string, spec: Partial<AutoscalerSpec>]>([
  ["spec.workload", { workload: "" }],
  ["spec.min", { min: 0 }],
  ["spec.min", { min: 1.5 }],
  ["spec.max", { min: 3, max: 2 }],
  ["spec.max", { max: 100_001 }],
  ["spec.target.kind", { target: { kind: "joy" as never, value: 1 } }],
  ["spec.target.name", { target: { kind: "metric", value: 1 } }],
  ["spec.target.name", { target: { kind: "cpu", name: "cpu", value: 1 } }],
  ["spec.target.value", { target: { kind: "cpu", value: 0 } }],
  ["spec.target.value", { target: { kind: "cpu", value: 1_000_001 } }],
  ["spec.readiness", { readiness: 11 }],
  ["spec.manualHoldMs", { manualHoldMs: -1 }],
  ["spec.up.windowMs", { up: { windowMs: 3_600_001 } }],
  ["spec.down.percent", { down: { percent: 1_001 } }],
  ["spec.down.periodMs", { down: { periodMs: -1 } }],
])("an autoscaler with a wrong %s is refused: %j [OB5]", (field, spec) => {
  expect(aScaledPlane().put(spec)).toMatchObject({
    code: "bad-object",
    field: `Autoscaler/payments/api ${field}`,
  });
});
