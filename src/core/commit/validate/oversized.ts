/**
 * Whether an object that is put is larger than an object may be (IN6). Comes before every other
 * rule about it: counts are cheap, and no other rule has to expect a long list. The API refuses the
 * same earlier, with better words; commands of controllers come past it.
 */
import { OBJECT_MOST, type ObjectLimit, SPEC_ENTRIES } from "../../model/limits/object-limits.ts";
import type { AnyObject } from "../../model/objects.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { sameValue } from "./same-value.ts";

interface Excess {
  readonly field: string;
  readonly limit: ObjectLimit;
  readonly actual: number;
}

/** An object from before the limits stays, and can be let go of; it does not grow. */
export function oversized(
  held: AnyObject | undefined,
  intent: IntentOf<"put">,
): Rejection | undefined {
  const excess = excessOf(intent);
  if (excess === undefined) return undefined;
  if (held !== undefined && isAsHeld(held, intent)) return undefined;
  const { field, limit, actual } = excess;
  const unit = limit.toLowerCase().endsWith("bytes") ? "bytes" : "entries";
  const expected = `at most ${OBJECT_MOST[limit]} ${unit}`;
  return reject("object-too-large", `${intent.key} ${field}`, expected, actual);
}

function isAsHeld(held: AnyObject, intent: IntentOf<"put">): boolean {
  const { meta } = held;
  const { annotations, managedFields, conditions, finalizers, owners } = intent;
  return (
    sameValue(held.spec, intent.desired.spec) &&
    sameValue(meta.labels, intent.labels) &&
    (annotations === undefined || sameValue(meta.annotations ?? {}, annotations)) &&
    (managedFields === undefined || managedFields === meta.managedFields) &&
    (conditions === undefined || sameValue(meta.conditions ?? [], conditions)) &&
    (owners === undefined || owners.length <= (meta.owners ?? []).length) &&
    finalizers.length <= Math.max(meta.finalizers.length, OBJECT_MOST.finalizers)
  );
}

function excessOf(intent: IntentOf<"put">): Excess | undefined {
  return metadataExcess(intent) ?? specExcess(intent);
}

function metadataExcess(intent: IntentOf<"put">): Excess | undefined {
  const { labels, annotations = {}, finalizers, managedFields = "", conditions = [] } = intent;
  return (
    tooMany("metadata.labels", "labels", Object.keys(labels).length) ??
    tooMany("metadata.annotations", "annotations", Object.keys(annotations).length) ??
    tooMany("metadata.finalizers", "finalizers", finalizers.length) ??
    tooMany("metadata.ownerReferences", "owners", intent.owners?.length ?? 0) ??
    tooMany("metadata.managedFields", "managedFieldsBytes", managedFields.length) ??
    longest("metadata.labels", "labelKeyBytes", Object.keys(labels)) ??
    longest("metadata.labels", "labelValueBytes", Object.values(labels)) ??
    longest("metadata.annotations", "labelKeyBytes", Object.keys(annotations)) ??
    longest("metadata.finalizers", "labelKeyBytes", finalizers) ??
    tooMany("metadata.annotations", "annotationsBytes", bytesOf(annotations)) ??
    tooMany("status.conditions", "conditionsBytes", bytesOf(conditions))
  );
}

function specExcess({ desired }: IntentOf<"put">): Excess | undefined {
  const excess = walk(desired.spec, {
    path: "",
    entries: SPEC_ENTRIES[desired.kind] ?? {},
    left: { bytes: OBJECT_MOST.specBytes },
  });
  if (excess !== undefined) return { ...excess, field: `spec.${excess.field}` };
  if (desired.kind !== "Workload") return undefined;
  return tooMany("spec.template", "templateBytes", bytesOf(desired.spec.template));
}

interface Walking {
  readonly path: string;
  readonly entries: Readonly<Record<string, ObjectLimit>>;
  readonly left: { bytes: number };
}

/** Stops at the first excess, so no spec costs more than the largest that is allowed. */
function walk(value: unknown, { path, entries, left }: Walking): Excess | undefined {
  if (typeof value === "string") {
    const size = utf8Bytes(value);
    const excess = tooMany(path, "textBytes", size);
    if (excess !== undefined) return excess;
    left.bytes -= size;
  }
  left.bytes -= VALUE_BYTES;
  if (left.bytes < 0) {
    return { field: path, limit: "specBytes", actual: OBJECT_MOST.specBytes - left.bytes };
  }
  if (typeof value !== "object" || value === null) return undefined;
  const names = Object.keys(value);
  const own = Object.hasOwn(entries, path) ? entries[path] : undefined;
  const excess =
    tooMany(path, own ?? (Array.isArray(value) ? "listEntries" : "mapEntries"), names.length) ??
    longest(path, "keyBytes", names);
  if (excess !== undefined) return excess;
  for (const name of names) {
    left.bytes -= name.length;
    const below = Array.isArray(value) ? `${path}[]` : path === "" ? name : `${path}.${name}`;
    const each = (value as Readonly<Record<string, unknown>>)[name];
    const inner = walk(each, { path: below, entries, left });
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const tooMany = (field: string, limit: ObjectLimit, actual: number): Excess | undefined =>
  actual > OBJECT_MOST[limit] ? { field, limit, actual } : undefined;

function longest(field: string, limit: ObjectLimit, texts: readonly string[]): Excess | undefined {
  for (const text of texts) {
    if (text.length > OBJECT_MOST[limit]) return { field, limit, actual: text.length };
  }
  return undefined;
}

/** What a value takes in JSON besides its text, about. */
const VALUE_BYTES = 4;

function bytesOf(value: unknown): number {
  if (typeof value === "string") return utf8Bytes(value) + VALUE_BYTES;
  if (typeof value !== "object" || value === null) return VALUE_BYTES;
  let sum = VALUE_BYTES;
  for (const [name, each] of Object.entries(value)) {
    sum += bytesOf(each) + (Array.isArray(value) ? 0 : name.length);
  }
  return sum;
}

function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Either half of a surrogate pair is two of the four bytes.
    if (code > 0x7f) bytes += code > 0x7_ff && (code < 0xd8_00 || code > 0xdf_ff) ? 2 : 1;
  }
  return bytes;
}
