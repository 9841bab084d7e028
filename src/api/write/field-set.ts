/**
 * Which fields of an object: the leaves that server-side apply keeps owners for. Lists are owned as
 * a whole, maps by entry. On the wire a set is Kubernetes' FieldsV1: `{"f:spec": {"f:replicas":
 * {}}}`.
 */
import { ApiError } from "../errors.ts";
import { ownFields } from "../kinds/kubernetes-form.ts";
import { BODY } from "../http/body-limits.ts";
import { fieldOf, isJsonObject, type JsonObject } from "../http/json-value.ts";
import { WorkBudget } from "../http/work-budget.ts";

/** JSON pointers of leaves, e.g. `/spec/resources/cpu`. */
export type FieldSet = ReadonlySet<string>;

const SPECIAL = /[~/]/;
const escaped = (name: string): string =>
  SPECIAL.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
const unescaped = (part: string): string =>
  part.includes("~") ? part.replaceAll("~1", "/").replaceAll("~0", "~") : part;
export const partsOf = (pointer: string): readonly string[] =>
  pointer.split("/").slice(1).map(unescaped);

/**
 * A leaf is kept as its whole path: one long name above many leaves would make each of them as
 * long.
 */
export const pathBudget = (): WorkBudget =>
  new WorkBudget(
    BODY.fieldPathBytes,
    () =>
      new ApiError(
        "invalid-object",
        `The paths of its fields have more than ${BODY.fieldPathBytes} characters together: use shorter names or fewer fields.`,
      ),
  );

/** Identity, times and status are the server's: no manager owns them. */
export function ownableFields(object: unknown, budget: WorkBudget = pathBudget()): FieldSet {
  const metadata = fieldOf(object, "metadata");
  const owned: Record<string, unknown> = {};
  for (const name of ["labels", "annotations", "finalizers", "ownerReferences"]) {
    const value = fieldOf(metadata, name);
    if (value !== undefined) owned[name] = value;
  }
  const leaves = new Set<string>();
  const into = { leaves, budget };
  const own = isJsonObject(object) ? ownFields(object) : {};
  for (const [name, value] of Object.entries(own)) collect(value, `/${escaped(name)}`, into);
  for (const [name, value] of Object.entries(owned)) collect(value, `/metadata/${name}`, into);
  return leaves;
}

interface Collecting {
  readonly leaves: Set<string>;
  readonly budget: WorkBudget;
}

function collect(value: unknown, path: string, into: Collecting): void {
  if (value === undefined) return;
  if (!isJsonObject(value)) {
    into.budget.spend(path.length);
    into.leaves.add(path);
    return;
  }
  for (const [name, each] of Object.entries(value)) collect(each, `${path}/${escaped(name)}`, into);
}

export function valueAt(object: unknown, pointer: string): unknown {
  let at: unknown = object;
  for (const part of partsOf(pointer)) at = fieldOf(at, part);
  return at;
}

/** Names below names; one that has nothing below it is to go. */
type Going = Map<string, Going>;

/**
 * The object without the fields, and without the maps that become empty by it. Copies each map
 * once.
 */
export function withoutFields(object: JsonObject, fields: FieldSet): JsonObject {
  if (fields.size === 0) return object;
  const going: Going = new Map();
  for (const pointer of fields) {
    let at = going;
    for (const part of partsOf(pointer)) {
      const below: Going = at.get(part) ?? new Map();
      at.set(part, below);
      at = below;
    }
  }
  return without(object, going) ?? {};
}

function without(object: JsonObject, going: Going): JsonObject | undefined {
  const kept: Record<string, unknown> = {};
  let left = 0;
  let gone = 0;
  for (const [name, value] of Object.entries(object)) {
    const below = going.get(name);
    const inner = below !== undefined && below.size > 0 && isJsonObject(value);
    const next = below === undefined ? value : inner ? without(value, below) : undefined;
    if (next === undefined) gone += 1;
    else {
      kept[name] = next;
      left += 1;
    }
  }
  return left === 0 && gone > 0 ? undefined : kept;
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
export function fromFieldsV1(fields: unknown, budget: WorkBudget = pathBudget()): FieldSet {
  const leaves = new Set<string>();
  const walk = (value: unknown, path: string): void => {
    const names = isJsonObject(value) ? Object.keys(value) : [];
    const inner = names.filter((name) => name.startsWith("f:"));
    if (path !== "" && inner.length === 0) {
      budget.spend(path.length);
      leaves.add(path);
    }
    for (const name of inner) walk(fieldOf(value, name), `${path}/${escaped(name.slice(2))}`);
  };
  walk(fields, "");
  return leaves;
}

export function union(...sets: readonly FieldSet[]): FieldSet {
  const all = new Set<string>();
  for (const set of sets) for (const field of set) all.add(field);
  return all;
}
export const difference = (a: FieldSet, b: FieldSet): FieldSet =>
  new Set([...a].filter((field) => !b.has(field)));
export const sameFields = (a: FieldSet, b: FieldSet): boolean =>
  a.size === b.size && [...a].every((field) => b.has(field));

/** `.spec.resources.cpu`, as kubectl shows the fields of a conflict. */
export const shownField = (pointer: string): string => `.${partsOf(pointer).join(".")}`;
