/**
 * Workloads in a file, shaped as they are given to a running Berth. Fields that the simulator has
 * no notion of (environment, probes) are refused rather than ignored: a run must not seem to have
 * tested them.
 */
import { type AnyField, type Fields as KindFields, optional } from "../core/kinds/fields/field.ts";
import { FROM_SECRETS } from "../core/kinds/fields/secret-fields.ts";
import { fieldsOf, writtenFormOfKind } from "../core/kinds/kind-definitions.ts";
import { assert } from "../core/model/assert.ts";
import type { WorkloadSpec } from "../core/model/objects.ts";
import { writtenNames } from "../manifest/read-fields.ts";
import { type PlainFields, writeFields } from "../manifest/write-fields.ts";
import type { WorldWorkload } from "../sim/world/world.ts";
import { putUnlessEmpty, readLabels } from "./amounts-fields.ts";
import type { Cursor } from "./cursor.ts";
import { readName, type References } from "./references.ts";
import { readSpec } from "./written-cursor.ts";

/** Of a process, a world knows at most its command, and the ports and secrets that it needs. */
const FIELDS: KindFields = Object.fromEntries(
  Object.entries(fieldsOf("Workload"))
    .filter(([name]) => !["probes", "metrics", "stopGraceMs"].includes(name))
    .map(([name, field]) => [name, name === "run" ? processOf(field) : field]),
);

function processOf(field: AnyField): AnyField {
  assert(field.form === "object", "A process is described by several fields.");
  const { command, fixedPorts } = field.fields;
  assert(command !== undefined && fixedPorts !== undefined, "A process has a command and ports.");
  return optional({
    ...field,
    fields: { command: optional(command), fixedPorts, ...FROM_SECRETS },
  });
}

export function readWorkload(cursor: Cursor, references: References): WorldWorkload {
  const fields = cursor.fields(["apiVersion", "kind", "metadata", "spec"]);
  fields.get("apiVersion", (version) => version.choice(["berth.dev/v1"]), "berth.dev/v1");
  fields.get("kind", (kind) => kind.choice(["Workload"]), "Workload");
  const metadata = fields.need("metadata").fields(["name", "namespace", "labels"]);
  const nameAt = metadata.need("name");
  const tenantAt = metadata.need("namespace");
  const name = readName(nameAt);
  const tenant = readName(tenantAt);
  references.refer("tenant", tenant, tenantAt);
  if (name !== "" && tenant !== "") references.declare("workload", `${tenant}/${name}`, nameAt);
  return {
    tenant,
    name,
    labels: metadata.get("labels", readLabels, {}),
    spec: readWorkloadSpec(fields.need("spec"), references),
  };
}

function readWorkloadSpec(cursor: Cursor, references: References): WorkloadSpec {
  const fields = cursor.fields(writtenNames(FIELDS));
  const spec = readSpec("Workload", fields, references, {
    fields: FIELDS,
    toManifest: (read) => ({ ...read, run: { command: [], ...(read["run"] as object) } }),
  }) as WorkloadSpec;
  for (const [at, zone] of spec.template.ask.zones.entries()) {
    references.refer("zone in any region", zone, fields.place(`placement.zones[${at}]`));
  }
  return spec;
}

export function plainWorkload(workload: WorldWorkload): PlainFields {
  const metadata: PlainFields = { name: workload.name, namespace: workload.tenant };
  putUnlessEmpty(metadata, "labels", workload.labels);
  const { run: process, ...written } = writtenFormOfKind("Workload").write(workload.spec) as {
    readonly run: { readonly command: readonly string[]; readonly fixedPorts?: object };
  };
  const { command, ...ports } = process;
  const run = command.length === 0 ? ports : process;
  const runs = Object.keys(run).length === 0 ? {} : { run };
  return { metadata, spec: writeFields(FIELDS, { ...written, ...runs }, "world") };
}
