/**
 * Overrides in a timeline: `override: { name: ov-1, as: ana, action: avoid-zone, target: { zone: a
 * }, reason: why, ttl: 30s }`, and who extends or releases them.
 */
import type { AnyField } from "../core/kinds/fields/field.ts";
import { fieldsOf } from "../core/kinds/kind-definitions.ts";
import type { OverrideSpec } from "../core/model/override.ts";
import { readFields, writtenNames } from "../manifest/read-fields.ts";
import { type PlainFields, writeFields } from "../manifest/write-fields.ts";
import type { UserAction } from "../sim/world/world.ts";
import type { Cursor, Fields } from "./cursor.ts";
import { readName, References } from "./references.ts";
import { readSpec, writtenFields } from "./written-cursor.ts";

type Put = Extract<UserAction, { do: "override" }>;
type Extend = Extract<UserAction, { do: "extend-override" }>;
type Release = Extract<UserAction, { do: "release-override" }>;

const FIELDS = fieldsOf("Override");
const TTL = { ttlMs: FIELDS["ttlMs"] as AnyField };

export function readOverride(value: Cursor, references: References): Put {
  const fields = value.fields(["name", "as", ...writtenNames(FIELDS)]);
  const spec = readSpec("Override", fields, references) as OverrideSpec;
  return { do: "override", ...byWhom(fields), spec };
}

export function readExtend(value: Cursor): Extend {
  const fields = value.fields(["name", "as", "ttl"]);
  const { ttlMs } = readFields(TTL, writtenFields(fields, new References()));
  return { do: "extend-override", ...byWhom(fields), ttlMs: ttlMs as number };
}

export function readOverrideRelease(value: Cursor): Release {
  return { do: "release-override", ...byWhom(value.fields(["name", "as"])) };
}

export const byWhom = (fields: Fields): { readonly name: string; readonly as: string } => ({
  name: readName(fields.need("name")),
  as: fields.need("as").text(),
});

export const plainOverride = ({ name, as, spec }: Put): PlainFields => ({
  name,
  as,
  ...writeFields(FIELDS, spec, "world"),
});
