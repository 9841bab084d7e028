/**
 * Priority classes in a file: `{ name: urgent, value: 100, preempts: never, band: base,
 * preemptible: false }`.
 */
import { fieldsOf } from "../core/kinds/kind-definitions.ts";
import type { PriorityClassSpec } from "../core/model/objects.ts";
import { readFields, writtenNames } from "../manifest/read-fields.ts";
import { type PlainFields, writeFields } from "../manifest/write-fields.ts";
import type { WorldPriorityClass } from "../sim/world/world.ts";
import type { Cursor } from "./cursor.ts";
import { readName, References } from "./references.ts";
import { writtenFields } from "./written-cursor.ts";

const FIELDS = fieldsOf("PriorityClass");

export function readPriorityClass(cursor: Cursor): WorldPriorityClass {
  const fields = cursor.fields(["name", ...writtenNames(FIELDS)]);
  const spec = readFields(FIELDS, writtenFields(fields, new References()));
  return { name: readName(fields.need("name")), spec: spec as unknown as PriorityClassSpec };
}

export const plainPriorityClass = ({ name, spec }: WorldPriorityClass): PlainFields => ({
  name,
  ...writeFields(FIELDS, spec, "world"),
});
