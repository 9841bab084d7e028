/**
 * What a sent object has too many of: entries of one list or map, or values in all. Looked for
 * before the schema is: that finds every mistake, and an object full of wrong values would cost a
 * sentence for each.
 */
import { OBJECT_MOST } from "../../core/model/limits/object-limits.ts";
import type { FieldMistake } from "../api-kind.ts";
import { besidesMetadata } from "../kinds/kubernetes-form.ts";
import { fieldIn } from "./field-path.ts";

/**
 * Looks at what clients write: not at status, nor at `managedFields`, which name each field of the
 * object.
 */
export function crowded(sent: Readonly<Record<string, unknown>>): FieldMistake | undefined {
  const left = { values: OBJECT_MOST.values };
  const crowd = within(sent["metadata"], "metadata", left, "managedFields");
  if (crowd !== undefined) return crowd;
  for (const [name, value] of Object.entries(besidesMetadata(sent))) {
    const inner = within(value, name, left);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function within(
  value: unknown,
  path: string,
  left: { values: number },
  except?: string,
): FieldMistake | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const isList = Array.isArray(value);
  const names = Object.keys(value);
  const most = isList ? OBJECT_MOST.listEntries : OBJECT_MOST.mapEntries;
  if (names.length > most) {
    const message = `found ${names.length} entries; expected at most ${most} entries.`;
    return { field: path, message };
  }
  left.values -= names.length;
  if (left.values < 0) {
    const message = `the object has more than ${OBJECT_MOST.values} values.`;
    return { field: path, message };
  }
  for (const name of names) {
    if (name === except) continue;
    const each = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof each !== "object" || each === null) continue;
    const inner = within(each, isList ? `${path}[${name}]` : fieldIn(path, name), left);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
