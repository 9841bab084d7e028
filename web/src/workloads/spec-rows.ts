/** A spec as lines of a table: each field by its path, as manifests name it. */
export interface SpecRow {
  /** `run.command` */
  readonly path: string;
  readonly value: string;
}

export function specRows(spec: Readonly<Record<string, unknown>>): readonly SpecRow[] {
  return Object.entries(spec).flatMap(([field, value]) => rowsOf(field, value));
}

function rowsOf(path: string, value: unknown): readonly SpecRow[] {
  if (Array.isArray(value)) {
    const separator = path === "run.command" || path === "run.args" ? " " : ", ";
    return value.length === 0 ? [] : [{ path, value: value.map(inline).join(separator) }];
  }
  if (typeof value !== "object" || value === null) return [{ path, value: inline(value) }];
  return Object.entries(value).flatMap(([field, each]) => rowsOf(`${path}.${field}`, each));
}

/** An item of a list on one line: "by zone, maxSkew 1". */
function inline(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return value.map(inline).join(" ");
  const pairs = Object.entries(value).map(([field, each]) => `${field} ${inline(each)}`);
  return `{${pairs.join(", ")}}`;
}
