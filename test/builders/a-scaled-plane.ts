/** A plane whose `payments/api` of four serving replicas is scaled by an autoscaler of the same name. */
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import {
  autoscalerKey,
  type AutoscalerSpec,
  type AutoscalerStatus,
  type LoadReading,
} from "../../src/core/model/autoscaler.ts";
import type { Autoscaler } from "../../src/core/model/objects.ts";
import { Plane, putting } from "./a-plane.ts";
import type { WorkloadSpecParts } from "./a-workload.ts";

export const AUTOSCALER = autoscalerKey("payments", "api");

/** A hundred of the load for each replica, no windows, and a step of four as soon as there is something new to see. */
export const anAutoscalerSpec = (of: Partial<AutoscalerSpec> = {}): AutoscalerSpec => ({
  workload: "api",
  min: 2,
  max: 10,
  target: { kind: "metric", name: "load", value: 100 },
  up: { windowMs: 0, replicas: 4, periodMs: 0 },
  down: { windowMs: 0, replicas: 4, periodMs: 0 },
  manualHoldMs: 60_000,
  ...of,
});

export class ScaledPlane extends Plane {
  put(of: Partial<AutoscalerSpec> = {}, key = AUTOSCALER): Outcome {
    return this.send(putting(key, { kind: "Autoscaler", spec: anAutoscalerSpec(of) }));
  }

  get autoscaler(): Autoscaler {
    return this.get(AUTOSCALER) as Autoscaler;
  }
  get status(): AutoscalerStatus {
    return this.autoscaler.status;
  }

  observe(load: number, of: Partial<LoadReading> = {}): Outcome {
    const reading = { sumMillis: load * 1_000, covered: 4, of: 4, windowMs: 5_000, ...of };
    return this.send({ kind: "observe", autoscaler: AUTOSCALER, reading });
  }

  /** Some time later, when the log takes the next. */
  observed(load: number, of: Partial<LoadReading> & { readonly afterMs?: number } = {}): void {
    const { afterMs = 5_000, ...reading } = of;
    this.nowMs += afterMs;
    const outcome = this.observe(load, reading);
    if (outcome.kind !== "committed") throw new Error(JSON.stringify(outcome));
  }

  scale(
    to: number,
    of: { from?: number; generation?: number; observation?: number } = {},
  ): Outcome {
    const { meta, spec } = this.workload();
    return this.send({
      kind: "scale",
      autoscaler: AUTOSCALER,
      observation: this.status.observed?.seq ?? 0,
      generation: meta.generation,
      from: spec.replicas,
      to,
      ...of,
    });
  }

  replicas(count: number): void {
    this.putDesired({ ...this.parts, replicas: count });
  }

  private parts: WorkloadSpecParts = {};

  begin(of: WorkloadSpecParts): this {
    this.parts = { cpuMillis: 100, memoryMiB: 10, replicas: 4, ...of };
    this.tenant({ cpuMillis: 100_000, memoryMiB: 100_000 });
    this.joined("a-1", { cpuMillis: 4_000 });
    this.putDesired(this.parts);
    for (let index = 0; index < (this.parts.replicas ?? 0); index += 1) this.serving({ index });
    return this;
  }
}

export function aScaledPlane(
  of: Partial<AutoscalerSpec> = {},
  desired: WorkloadSpecParts = {},
): ScaledPlane {
  const plane = new ScaledPlane().begin(desired);
  plane.put(of);
  return plane;
}
