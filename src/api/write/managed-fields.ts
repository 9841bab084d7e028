/**
 * Who owns which field of an object (`metadata.managedFields`). A write that is not an apply owns
 * what it changed and takes it from its owner; an apply owns what it names.
 */
import { sameValue } from "../../core/commit/validate/same-value.ts";
import {
  difference,
  type FieldSet,
  fromFieldsV1,
  ownableFields,
  pathBudget,
  sameFields,
  toFieldsV1,
  union,
  valueAt,
} from "./field-set.ts";
import { fieldOf, isJsonObject, shownValue } from "../http/json-value.ts";
import { isStatusEntry } from "./status-owners.ts";
import { hasApplied, isOwnUpdate } from "./taken-over.ts";

export interface Ownership {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly time: string;
  readonly fields: FieldSet;
}

/**
 * Kubernetes' own bound: what the oldest updaters own is put under one name, so the list stays
 * short.
 */
const UPDATERS_MAX = 10;
const OLD_UPDATERS = "ancient-changes";

export function readOwnerships(managedFields: unknown): readonly Ownership[] {
  if (!Array.isArray(managedFields)) return [];
  const entries = managedFields.filter(isJsonObject).filter((entry) => !isStatusEntry(entry));
  const budget = pathBudget();
  return entries.map((entry) => ({
    manager: shownValue(fieldOf(entry, "manager") ?? "unknown"),
    operation: fieldOf(entry, "operation") === "Apply" ? "Apply" : "Update",
    time: shownValue(fieldOf(entry, "time") ?? ""),
    fields: fromFieldsV1(fieldOf(entry, "fieldsV1"), budget),
  }));
}

export function writeOwnerships(
  owners: readonly Ownership[],
  apiVersion: string,
): readonly unknown[] {
  return owners.map(({ manager, operation, time, fields }) => ({
    manager,
    operation,
    apiVersion,
    ...(time === "" ? {} : { time }),
    fieldsType: "FieldsV1",
    fieldsV1: toFieldsV1(fields),
  }));
}

export interface Writer {
  readonly manager: string;
  readonly time: string;
}

/** After a write that set the object from `before` to `after`. */
export function afterUpdate(
  owners: readonly Ownership[],
  { before, after }: { readonly before: unknown; readonly after: unknown },
  writer: Writer,
): readonly Ownership[] {
  const there = ownableFields(after);
  const changed = isEmptyObject(before)
    ? there
    : new Set(
        [...there].filter((field) => !sameValue(valueAt(before, field), valueAt(after, field))),
      );
  const taken = owners.map((owner) => ({
    ...owner,
    fields: new Set([...owner.fields].filter((field) => there.has(field) && !changed.has(field))),
  }));
  const isOwn = (owner: Ownership): boolean =>
    owner.operation === "Update" && owner.manager === writer.manager;
  const had = owners.find(isOwn);
  const fields = union(taken.find(isOwn)?.fields ?? new Set(), changed);
  const isSame = had !== undefined && sameFields(had.fields, fields) && changed.size === 0;
  const own = { ...writer, operation: "Update" as const, fields };
  const next = taken.filter((owner) => !isOwn(owner));
  return bounded(owning([...next, isSame ? had : own]));
}

/** As before a create: every field is new. */
const isEmptyObject = (object: unknown): boolean =>
  isJsonObject(object) && Object.keys(object).length === 0;

/** After an apply of `applied` by the writer; with `force`, others lose what they owned of it. */
export function afterApply(
  owners: readonly Ownership[],
  applied: FieldSet,
  { lost, writer }: { readonly lost: FieldSet; readonly writer: Writer },
): readonly Ownership[] {
  const { manager } = writer;
  const had = owners.find((owner) => owner.operation === "Apply" && owner.manager === manager);
  const own: Ownership =
    had !== undefined && sameFields(had.fields, applied)
      ? had
      : { ...writer, operation: "Apply", fields: applied };
  const others = owners
    .filter((owner) => !hasApplied(owner, manager))
    .map((owner) => {
      // What the writer changed by another command it states now: later it may leave it out again.
      const gone = isOwnUpdate(owner, manager) ? applied : lost;
      return { ...owner, fields: difference(owner.fields, gone) };
    });
  return owning([own, ...others]);
}

const owning = (owners: readonly Ownership[]): readonly Ownership[] =>
  owners.filter(({ fields }) => fields.size > 0);

function bounded(owners: readonly Ownership[]): readonly Ownership[] {
  const updaters = owners.filter(({ operation }) => operation === "Update");
  if (updaters.length <= UPDATERS_MAX) return owners;
  const oldestFirst = updaters.toSorted((a, b) => (a.time < b.time ? -1 : 1));
  const old = new Set(oldestFirst.slice(0, updaters.length - UPDATERS_MAX + 1));
  const fields = union(...[...old].map((owner) => owner.fields));
  const time = oldestFirst[old.size - 1]?.time ?? "";
  return [
    ...owners.filter((owner) => !old.has(owner)),
    { manager: OLD_UPDATERS, operation: "Update", time, fields },
  ];
}
