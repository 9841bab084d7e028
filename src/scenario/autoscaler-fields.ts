/**
 * Autoscalers in a file, with the load of the world: `{ tenant: payments, workload: api, min: 1,
 * max: 8, perReplica: 100, up: { window: 0s, step: 4, period: 10s }, demand: [{ at: 0s, load: 300
 * }, { at: 30s, load: 700 }] }`.
 */
import type { AnyField, Fields as KindFields } from "../core/kinds/fields/field.ts";
import { fieldsOf } from "../core/kinds/kind-definitions.ts";
import { assert } from "../core/model/assert.ts";
import type { AutoscalerSpec } from "../core/model/autoscaler.ts";
import { writtenNames } from "../manifest/read-fields.ts";
import { type PlainFields, writeFields } from "../manifest/write-fields.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { WorldAutoscaler } from "../sim/world/world.ts";
import type { Cursor } from "./cursor.ts";
import { readName, type References } from "./references.ts";
import { calling, readSpec } from "./written-cursor.ts";

/** The world has one metric, so it needs no other name. */
const METRIC = "load";

/** A world calls the metric's target `perReplica`, and the replicas of a pace `step`. */
const STEP = { replicas: "step" };
const OWN = fieldsOf("Autoscaler");
const FIELDS: KindFields = {
  ...OWN,
  target: perReplica(OWN["target"]),
  up: calling(OWN["up"], STEP),
  down: calling(OWN["down"], STEP),
};

function perReplica(field: AnyField | undefined): AnyField {
  assert(field?.form === "one-of", "An autoscaler has one of several targets.");
  const { metric } = field.options;
  assert(metric?.form === "object", "A metric has a name and a value.");
  return { ...(metric.fields["value"] as AnyField), as: "perReplica" };
}

export function readAutoscaler(cursor: Cursor, references: References): WorldAutoscaler {
  const known = ["tenant", ...writtenNames(FIELDS), "demand", "lostPercent", "late"];
  const fields = cursor.fields(known);
  const tenant = readName(fields.need("tenant"));
  references.refer("tenant", tenant, fields.need("tenant"));
  const spec = readSpec("Autoscaler", fields, references, {
    fields: FIELDS,
    toManifest: ({ target, ...read }) => ({
      ...read,
      target: { kind: "metric", name: METRIC, value: target },
    }),
  }) as AutoscalerSpec;
  const { workload } = spec;
  references.refer("workload", `${tenant}/${workload}`, fields.need("workload"));
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

export function plainAutoscaler(of: WorldAutoscaler): PlainFields {
  const { tenant, spec, demand, lostPercent, lateMs } = of;
  return {
    tenant,
    ...writeFields(FIELDS, { ...spec, target: spec.target.value }, "world"),
    demand: demand.map(({ atMs, load }) => ({ at: formatDuration(atMs), load })),
    ...(lostPercent === 0 ? {} : { lostPercent }),
    ...(lateMs === 0 ? {} : { late: formatDuration(lateMs) }),
  };
}
