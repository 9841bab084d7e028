/**
 * Autoscalers in a file, with the load of the world: `{ tenant: payments, workload: api, min: 1, max: 8, perReplica: 100,
 * up: { window: 0s, step: 4, period: 10s }, demand: [{ at: 0s, load: 300 }, { at: 30s, load: 700 }] }`.
 */
import type { AutoscalerSpec, ScalePace } from "../core/model/autoscaler.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { WorldAutoscaler } from "../sim/world/world.ts";
import type { PlainFields } from "./amounts-fields.ts";
import type { Cursor } from "./cursor.ts";
import { readName, type References } from "./references.ts";

/** What is measured there is the world's own, so it needs no other name. */
const METRIC = "load";

export function readAutoscaler(cursor: Cursor, references: References): WorldAutoscaler {
  const fields = cursor.fields([
    "tenant",
    "workload",
    "min",
    "max",
    "perReplica",
    "readiness",
    "up",
    "down",
    "manualHold",
    "demand",
    "lostPercent",
    "late",
  ]);
  const tenant = readName(fields.need("tenant"));
  references.refer("tenant", tenant, fields.need("tenant"));
  const workloadAt = fields.need("workload");
  const workload = readName(workloadAt);
  references.refer("workload", `${tenant}/${workload}`, workloadAt);
  const min = fields.need("min").integer(1);
  const spec: AutoscalerSpec = {
    workload,
    min,
    max: fields.need("max").integer(min),
    target: { kind: "metric", name: METRIC, value: fields.need("perReplica").integer(1) },
    ...(fields.has("readiness") ? { readiness: fields.need("readiness").integer(1) } : {}),
    ...(fields.has("up") ? { up: readPace(fields.need("up")) } : {}),
    ...(fields.has("down") ? { down: readPace(fields.need("down")) } : {}),
    ...(fields.has("manualHold") ? { manualHoldMs: fields.need("manualHold").durationMs() } : {}),
  };
  return {
    tenant,
    name: workload,
    spec,
    demand: fields.need("demand").list((item) => {
      const step = item.fields(["at", "load"]);
      return { atMs: step.need("at").durationMs(), load: step.need("load").integer(0) };
    }),
    lostPercent: fields.get("lostPercent", (percent) => percent.integer(0), 0),
    lateMs: fields.get("late", (time) => time.durationMs(), 0),
  };
}

function readPace(cursor: Cursor): ScalePace {
  const fields = cursor.fields(["window", "step", "percent", "period"]);
  return {
    ...(fields.has("window") ? { windowMs: fields.need("window").durationMs() } : {}),
    ...(fields.has("step") ? { replicas: fields.need("step").integer(0) } : {}),
    ...(fields.has("percent") ? { percent: fields.need("percent").integer(0) } : {}),
    ...(fields.has("period") ? { periodMs: fields.need("period").durationMs() } : {}),
  };
}

export function plainAutoscaler(of: WorldAutoscaler): PlainFields {
  const { tenant, spec, demand, lostPercent, lateMs } = of;
  const { workload, min, max, target, readiness, up, down, manualHoldMs } = spec;
  return {
    tenant,
    workload,
    min,
    max,
    perReplica: target.value,
    ...(readiness === undefined ? {} : { readiness }),
    ...(up === undefined ? {} : { up: plainPace(up) }),
    ...(down === undefined ? {} : { down: plainPace(down) }),
    ...(manualHoldMs === undefined ? {} : { manualHold: formatDuration(manualHoldMs) }),
    demand: demand.map(({ atMs, load }) => ({ at: formatDuration(atMs), load })),
    ...(lostPercent === 0 ? {} : { lostPercent }),
    ...(lateMs === 0 ? {} : { late: formatDuration(lateMs) }),
  };
}

const plainPace = ({ windowMs, replicas, percent, periodMs }: ScalePace): PlainFields => ({
  ...(windowMs === undefined ? {} : { window: formatDuration(windowMs) }),
  ...(replicas === undefined ? {} : { step: replicas }),
  ...(percent === undefined ? {} : { percent }),
  ...(periodMs === undefined ? {} : { period: formatDuration(periodMs) }),
});
