/**
 * Makes an `ApiKind` of a definition: its spec, how it is read and shown, and its columns follow
 * from its fields.
 */
import { Type } from "typebox";
import {
  type AnyField,
  type Fields,
  settledForm,
  writtenPath,
} from "../../core/kinds/fields/field.ts";
import { writtenDefinitionOf, writtenFormOfKind } from "../../core/kinds/kind-definitions.ts";
import type { WrittenForm } from "../../core/kinds/kind-definition.ts";
import { assert } from "../../core/model/assert.ts";
import type { AnyObject, ObjectOf } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Desired, WrittenKind } from "../../core/protocol/command.ts";
import { readFields } from "../../manifest/read-fields.ts";
import { writeFields, writeValue } from "../../manifest/write-fields.ts";
import type { ApiKind } from "../api-kind.ts";
import { fieldsSchema } from "../schema/fields-schema.ts";
import { type Column, defineKind, type KindParts } from "./define-kind.ts";
import { brokenRules } from "../../core/kinds/written-form.ts";
import { JsonValue } from "./json-value.ts";
import { SpecReader } from "./spec-reader.ts";

/** What a kind shows beyond its spec. */
export interface ShownParts<K extends WrittenKind> extends Pick<
  KindParts<K>,
  "kind" | "status" | "planeConditions" | "selectableFields" | "scale" | "derivedLabels"
> {
  readonly showStatus?: (object: ObjectOf<K>, objects: ObjectIndex) => unknown;
  /** What people are told in their own units, beside what the rules of the kind say. */
  readonly noteMistakes?: (spec: ObjectOf<K>["spec"], reader: SpecReader) => void;
  /** The name of a field stands for the column that it states. Left out: those of all fields. */
  readonly columns?: readonly (Column<K> | FieldName<K>)[];
}

type FieldName<K extends WrittenKind> = keyof ObjectOf<K>["spec"] & string;

export function showKind<K extends WrittenKind>(parts: ShownParts<K>): ApiKind {
  const { kind, showStatus, noteMistakes, columns, ...rest } = parts;
  const { about = "", spec } = writtenDefinitionOf(kind) ?? {};
  assert(spec !== undefined, `${kind} does not define its fields, so its API has to.`);
  const form = writtenFormOfKind(kind);
  const schema = fieldsSchema(spec.about, form.fields, spec.unsupported);
  return defineKind<K>({
    kind,
    ...rest,
    description: about,
    spec: spec.isOptional === true ? Type.Optional(schema) : schema,
    columns: (columns ?? (Object.keys(spec.fields) as FieldName<K>[])).flatMap((column) =>
      typeof column === "string" ? columnOf<K>(column, spec.fields) : column,
    ),
    toApi: (object, objects) => ({
      spec: writeFields(form.fields, form.write(specOf(object)), "manifest"),
      status: showStatus?.(object, objects),
    }),
    toDesired: (written) => {
      const reader = new SpecReader();
      const read = readSpec(form, written, reader);
      noteMistakes?.(read as ObjectOf<K>["spec"], reader);
      const { mistakes } = reader;
      return mistakes.length > 0 ? mistakes : ({ kind, spec: read } as unknown as Desired);
    },
  });
}

function readSpec<Spec>(
  { fields, rules, read }: WrittenForm<Spec>,
  value: unknown,
  reader: SpecReader,
): Spec {
  const written = readFields(fields, new JsonValue(value, "spec", reader).fields());
  for (const { field, found, expected, ...said } of brokenRules(rules, written)) {
    const message = said.message ?? `found ${JSON.stringify(found)}; expected ${expected}.`;
    reader.mistake(`spec.${writtenPath(fields, field)}`, message);
  }
  return read(written);
}

/** The compiler does not see that every kind that people write has one. */
const specOf = (object: AnyObject): object => (object as { readonly spec: object }).spec;

function columnOf<K extends WrittenKind>(name: string, fields: Fields): readonly Column<K>[] {
  const field = fields[name];
  if (field?.column === undefined) return [];
  const { column } = field;
  return [
    {
      name: column.name,
      type: field.form === "count" ? ("integer" as const) : ("string" as const),
      description: column.about,
      ...(column.isWide === true ? { isWide: true } : {}),
      cell: (object: ObjectOf<K>) => cellOf(name, field, specOf(object)),
    },
  ];
}

function cellOf(name: string, field: AnyField, spec: object): string | number {
  const values = spec as Readonly<Record<string, unknown>>;
  const value = values[name] ?? field.byDefault;
  if (value === undefined) return "";
  const written = writeValue(settledForm(field, values), value, "manifest");
  if (typeof written === "number") return written;
  if (Array.isArray(written)) return written.join(",");
  return typeof written === "string" ? written : JSON.stringify(written);
}
