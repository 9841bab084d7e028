/**
 * Nodes and node pools in a file: their devices stand beside the capacity, `{ capacity: { cpu: 4,
 * memory: 8Gi }, devices: { class: gpu, count: 2 } }`, where a manifest has them under it.
 */
import type { AnyField, Fields as KindFields } from "../core/kinds/fields/field.ts";
import { fieldsOf, writtenFormOfKind } from "../core/kinds/kind-definitions.ts";
import { assert } from "../core/model/assert.ts";
import { type PlainFields, writeFields } from "../manifest/write-fields.ts";
import type { Fields } from "./cursor.ts";
import type { References } from "./references.ts";
import { readSpec } from "./written-cursor.ts";

type Values = Readonly<Record<string, unknown>>;

export interface CapacityForm {
  readonly kind: "Node" | "NodePool";
  readonly fields: KindFields;
}

/** A world writes the kind without these fields. */
export function capacityForm(kind: "Node" | "NodePool", without: readonly string[]): CapacityForm {
  const { capacity, ...others } = fieldsOf(kind);
  assert(capacity?.form === "object", "A capacity has several fields.");
  const { amounts, ...devices } = capacity.fields;
  const fields: Record<string, AnyField> = {};
  for (const [name, field] of Object.entries(others)) {
    if (!without.includes(name)) fields[name] = field;
    // In the order in which people read them: where, how much, then all else.
    if (name === "zone") {
      Object.assign(fields, { capacity: { ...amounts, isInline: false }, ...devices });
    }
  }
  return { kind, fields };
}

/** `more` are fields that a world leaves out because they are always the same there. */
export function readWithCapacity(
  form: CapacityForm,
  fields: Fields,
  references: References,
  more: Values = {},
): object {
  const spec = readSpec(form.kind, fields, references, {
    fields: form.fields,
    toManifest: ({ capacity: amounts, devices, pools, ...read }) => ({
      ...read,
      ...more,
      capacity: {
        amounts,
        ...(devices === undefined ? {} : { devices }),
        ...(pools === undefined ? {} : { pools }),
      },
    }),
    placeOf: (path) => path.replace(/^capacity\.(?!amounts)/, ""),
  });
  const { region, zone } = spec as { readonly region: string; readonly zone: string };
  if (region !== "" && zone !== "") {
    references.refer("zone", `${region}/${zone}`, fields.need("zone"));
  }
  return spec;
}

export function plainWithCapacity({ kind, fields }: CapacityForm, spec: object): PlainFields {
  const { capacity, ...written } = writtenFormOfKind(kind).write(spec) as Values;
  const { amounts, ...devices } = capacity as Values;
  return writeFields(fields, { ...written, capacity: amounts, ...devices }, "world");
}
