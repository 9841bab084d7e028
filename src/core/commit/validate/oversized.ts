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
  const within = {
    entries: SPEC_ENTRIES[desired.kind] ?? {},
    left: OBJECT_MOST.specBytes,
  };
  const excess = walk(desired.spec, "", within);
  if (excess !== undefined) return { ...excess, field: `spec.${excess.field}` };
  if (desired.kind !== "Workload") return undefined;
  return tooMany("spec.template", "templateBytes", bytesOf(desired.spec.template));
}

interface Walking {
  readonly entries: Readonly<Record<string, ObjectLimit>>;
  /** In bytes. */
  left: number;
}

/** Stops at the first excess, so no spec costs more than the largest that is allowed. */
function walk(value: unknown, path: string, within: Walking): Excess | undefined {
  if (typeof value === "string") {
    const size = utf8Bytes(value);
    const excess = tooMany(path, "textBytes", size);
    if (excess !== undefined) return excess;
    within.left -= size;
  }
  within.left -= VALUE_BYTES;
  if (within.left < 0) {
    return { field: path, limit: "specBytes", actual: OBJECT_MOST.specBytes - within.left };
  }
  if (typeof value !== "object" || value === null) return undefined;
  return Array.isArray(value) ? walkList(value, path, within) : walkMap(value, path, within);
}

function walkList(list: readonly unknown[], path: string, within: Walking): Excess | undefined {
  const excess = tooMany(path, limitAt(path, within) ?? "listEntries", list.length);
  if (excess !== undefined || list.length === 0) return excess;
  const below = `${path}[]`;
  for (let at = 0; at < list.length; at += 1) {
    within.left -= String(at).length;
    const inner = walk(list[at], below, within);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function walkMap(map: object, path: string, within: Walking): Excess | undefined {
  const names = Object.keys(map);
  const excess =
    tooMany(path, limitAt(path, within) ?? "mapEntries", names.length) ??
    longest(path, "keyBytes", names);
  if (excess !== undefined) return excess;
  for (const name of names) {
    within.left -= name.length;
    const each = (map as Readonly<Record<string, unknown>>)[name];
    const inner = walk(each, path === "" ? name : `${path}.${name}`, within);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const limitAt = (path: string, { entries }: Walking): ObjectLimit | undefined =>
  Object.hasOwn(entries, path) ? entries[path] : undefined;

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
  if (Array.isArray(value)) {
    for (const each of value) sum += bytesOf(each);
    return sum;
  }
  for (const name in value) {
    sum += bytesOf((value as Readonly<Record<string, unknown>>)[name]) + name.length;
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
