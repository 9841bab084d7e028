/** What differs between two versions of an object, field by field. */
import {
  contentOf,
  type ShownObject,
  textOf,
  withoutManagedFields,
} from "../../steering/api-object.ts";

export interface Versions {
  readonly before?: ShownObject | undefined;
  readonly after?: ShownObject | undefined;
}

/** A line for each field that differs; with one version only, for each field that it has. */
export function differenceLines({ before, after }: Versions): readonly string[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const paths = [...new Set([...was.keys(), ...is.keys()])].toSorted();
  const changed = paths.filter((path) => was.get(path) !== is.get(path));
  return changed.map((path) => `    ${path}: ${changeOf(was.get(path), is.get(path))}`);
}

function changeOf(was: string | undefined, is: string | undefined): string {
  return `${was ?? "(none)"} → ${is ?? "(none)"}`;
}

/** Every field by its path, as text; what changes with every write is left out. */
function fieldsOf(object: ShownObject | undefined): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  if (object === undefined) return fields;
  const { resourceVersion: _, ...metadata } = withoutManagedFields(object).metadata;
  const walk = (path: string, value: unknown): void => {
    if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        walk(path === "" ? name : `${path}.${name}`, inner);
      }
    } else if (value !== undefined) fields.set(path, textOf(value));
  };
  walk("", { metadata, ...contentOf(object), status: object.status });
  return fields;
}
