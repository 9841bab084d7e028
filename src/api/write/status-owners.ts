/**
 * Who owns which condition of a status (`metadata.managedFields`, entries of the subresource
 * `status`). The conditions of an object are a map by their type, so two clients that keep one each
 * never meet.
 */
import { fieldOf, isJsonObject, shownValue } from "../http/json-value.ts";
import type { Writer } from "./managed-fields.ts";

export interface StatusOwner {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly time: string;
  readonly types: ReadonlySet<string>;
}

export const isStatusEntry = (entry: unknown): boolean =>
  fieldOf(entry, "subresource") === "status";

export function readStatusOwners(managedFields: unknown): readonly StatusOwner[] {
  if (!Array.isArray(managedFields)) return [];
  return managedFields.filter(isStatusEntry).map((entry: unknown) => {
    const conditions = fieldOf(fieldOf(fieldOf(entry, "fieldsV1"), "f:status"), "f:conditions");
    const keys = isJsonObject(conditions) ? Object.keys(conditions) : [];
    return {
      manager: shownValue(fieldOf(entry, "manager") ?? "unknown"),
      operation: fieldOf(entry, "operation") === "Apply" ? "Apply" : "Update",
      time: shownValue(fieldOf(entry, "time") ?? ""),
      types: new Set(keys.map(typeOf).filter((type) => type !== undefined)),
    };
  });
}

export function writeStatusOwners(
  owners: readonly StatusOwner[],
  apiVersion: string,
): readonly unknown[] {
  return owners
    .filter(({ types }) => types.size > 0)
    .map(({ manager, operation, time, types }) => ({
      manager,
      operation,
      apiVersion,
      ...(time === "" ? {} : { time }),
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:status": {
          "f:conditions": Object.fromEntries(
            [...types].toSorted().map((type) => [keyOf(type), {}]),
          ),
        },
      },
      subresource: "status",
    }));
}

export interface ConditionChange {
  /** Types that were added or say something else now. */
  readonly changed: ReadonlySet<string>;
  /** All types there are afterwards. */
  readonly present: ReadonlySet<string>;
}

/** After a write that is not an apply: it owns what it changed, as long as that is there. */
export function afterStatusUpdate(
  owners: readonly StatusOwner[],
  { changed, present }: ConditionChange,
  writer: Writer,
): readonly StatusOwner[] {
  const isOwn = isOf(writer, "Update");
  const left = owners.map((owner) => ({
    ...owner,
    types: only(owner.types, (type) => present.has(type) && !changed.has(type)),
  }));
  if (changed.size === 0) return left;
  const types = new Set([...(left.find(isOwn)?.types ?? []), ...changed]);
  return [...left.filter((owner) => !isOwn(owner)), { ...writer, operation: "Update", types }];
}

/**
 * After an apply of `applied`: it owns all it names, and others lose what they said differently.
 */
export function afterStatusApply(
  owners: readonly StatusOwner[],
  { changed, present, applied }: ConditionChange & { readonly applied: ReadonlySet<string> },
  writer: Writer,
): readonly StatusOwner[] {
  const isOwn = isOf(writer, "Apply");
  const had = owners.find(isOwn);
  const isSame = had !== undefined && sameTypes(had.types, applied) && changed.size === 0;
  const others = owners
    .filter((owner) => !isOwn(owner))
    .map((owner) => ({
      ...owner,
      types: only(owner.types, (type) => present.has(type) && !changed.has(type)),
    }));
  return [isSame ? had : { ...writer, operation: "Apply", types: applied }, ...others];
}

export const isOf =
  (writer: Writer, operation: StatusOwner["operation"]) =>
  (owner: StatusOwner): boolean =>
    owner.operation === operation && owner.manager === writer.manager;

const only = (types: ReadonlySet<string>, keeps: (type: string) => boolean): ReadonlySet<string> =>
  new Set([...types].filter(keeps));

const sameTypes = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((type) => b.has(type));

/** Kubernetes' form of an entry of a list that is a map: `k:{"type":"Reviewed"}`. */
const keyOf = (type: string): string => `k:${JSON.stringify({ type })}`;

function typeOf(key: string): string | undefined {
  try {
    const type = fieldOf(JSON.parse(key.slice(2)), "type");
    return typeof type === "string" ? type : undefined;
  } catch {
    return undefined;
  }
}
