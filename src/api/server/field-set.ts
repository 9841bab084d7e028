/**
 * Which fields of an object: the leaves that server-side apply keeps owners for. Lists are owned as a whole,
 * maps by entry. On the wire a set is Kubernetes' FieldsV1: `{"f:spec": {"f:replicas": {}}}`.
 */
import { fieldOf, isJsonObject, type JsonObject } from "./json-value.ts";

/** JSON pointers of leaves, e.g. `/spec/resources/cpu`. */
export type FieldSet = ReadonlySet<string>;

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
const unescaped = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");
export const partsOf = (pointer: string): readonly string[] =>
  pointer.split("/").slice(1).map(unescaped);

/** Identity, times and status are the server's: nobody owns them. */
export function ownableFields(object: unknown): FieldSet {
  const metadata = fieldOf(object, "metadata");
  const owned: Record<string, unknown> = {};
  for (const name of ["labels", "annotations", "finalizers"]) {
    const value = fieldOf(metadata, name);
    if (value !== undefined) owned[name] = value;
  }
  const leaves = new Set<string>();
  collect(fieldOf(object, "spec"), "/spec", leaves);
  for (const [name, value] of Object.entries(owned)) collect(value, `/metadata/${name}`, leaves);
  return leaves;
}

function collect(value: unknown, path: string, into: Set<string>): void {
  if (value === undefined) return;
  if (!isJsonObject(value)) {
    into.add(path);
    return;
  }
  for (const [name, each] of Object.entries(value)) collect(each, `${path}/${escaped(name)}`, into);
}

export function valueAt(object: unknown, pointer: string): unknown {
  let at: unknown = object;
  for (const part of partsOf(pointer)) at = fieldOf(at, part);
  return at;
}

/** The object without the field, and without the maps that become empty by it. */
export function withoutField(object: JsonObject, pointer: string): JsonObject {
  return without(object, partsOf(pointer)) ?? {};
}

function without(object: JsonObject, [first, ...rest]: readonly string[]): JsonObject | undefined {
  if (first === undefined || !Object.hasOwn(object, first)) return object;
  const { [first]: value, ...others } = object;
  const smaller = rest.length > 0 && isJsonObject(value) ? without(value, rest) : undefined;
  if (smaller !== undefined) return { ...others, [first]: smaller };
  return Object.keys(others).length === 0 ? undefined : others;
}

export function toFieldsV1(fields: FieldSet): JsonObject {
  const root: Record<string, unknown> = {};
  for (const pointer of [...fields].toSorted()) {
    let at = root;
    for (const part of partsOf(pointer)) {
      const name = `f:${part}`;
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
  }
  return root;
}

/** Entries of lists (`k:`, `v:`) count as the whole list, and `.` as the map it stands in. */
export function fromFieldsV1(fields: unknown): FieldSet {
  const leaves = new Set<string>();
  const walk = (value: unknown, path: string): void => {
    const names = isJsonObject(value) ? Object.keys(value) : [];
    const inner = names.filter((name) => name.startsWith("f:"));
    if (path !== "" && inner.length === 0) leaves.add(path);
    for (const name of inner) walk(fieldOf(value, name), `${path}/${escaped(name.slice(2))}`);
  };
  walk(fields, "");
  return leaves;
}

export const union = (a: FieldSet, b: FieldSet): FieldSet => new Set([...a, ...b]);
export const difference = (a: FieldSet, b: FieldSet): FieldSet =>
  new Set([...a].filter((field) => !b.has(field)));
export const sameFields = (a: FieldSet, b: FieldSet): boolean =>
  a.size === b.size && [...a].every((field) => b.has(field));

/** `.spec.resources.cpu`, as kubectl shows the fields of a conflict. */
export const shownField = (pointer: string): string => `.${partsOf(pointer).join(".")}`;
