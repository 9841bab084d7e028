/**
 * Objects as a meta.k8s.io/v1 Table, which is what `kubectl get` prints. The name comes first for
 * every kind; the other columns are the kind's own.
 */
import type { AnyObject } from "../core/model/objects.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import { printable } from "../text/printable.ts";
import { ageText } from "./age.ts";
import type { ApiObject, TableColumn } from "./api-kind.ts";

/** How much of each object comes with its row; sorting by a field needs all of it. */
export type IncludeObject = "None" | "Metadata" | "Object";

export interface TableRow {
  readonly object: AnyObject;
  /** The same object as clients read it. */
  readonly shown: ApiObject;
}

export interface TableParts {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly objects: ObjectIndex;
  readonly includeObject: IncludeObject;
  /** What ages are counted to. */
  readonly nowMs: number;
  /** `resourceVersion`, and for pages `continue` and `remainingItemCount`. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Table {
  readonly kind: "Table";
  readonly apiVersion: "meta.k8s.io/v1";
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly columnDefinitions: readonly ColumnDefinition[];
  readonly rows: readonly {
    readonly cells: readonly (string | number)[];
    readonly object?: unknown;
  }[];
}

type ColumnDefinition = Omit<TableColumn, "cell" | "format"> & { readonly format: string };

const NAME: ColumnDefinition = {
  name: "Name",
  type: "string",
  format: "name",
  description: "Unique within the namespace and kind.",
  priority: 0,
};

export function toTable(parts: TableParts): Table {
  const { columns, rows, metadata, includeObject } = parts;
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: [NAME, ...columns.map(definitionOf)],
    rows: rows.map(({ object, shown }) => ({
      cells: [object.meta.name, ...columns.map((column) => cellOf(column, object, parts))],
      ...(includeObject === "None"
        ? {}
        : { object: includeObject === "Object" ? shown : partialMetadata(shown) }),
    })),
  };
}

/** Only what every kind has. */
export const partialMetadata = ({ metadata }: ApiObject) => ({
  kind: "PartialObjectMetadata",
  apiVersion: "meta.k8s.io/v1",
  metadata,
});

const definitionOf = ({ name, type, format = "", description, priority }: TableColumn) => ({
  name,
  type,
  format,
  description,
  priority,
});

/**
 * The cell of a `date` column is a time in milliseconds; kubectl expects the server to make an age
 * of it.
 */
function cellOf(
  column: TableColumn,
  object: AnyObject,
  { objects, nowMs }: TableParts,
): string | number {
  const value = column.cell(object, objects);
  if (column.type === "date" && typeof value === "number") return ageText(nowMs - value);
  // kubectl prints cells as they come; most of them are somebody's words.
  return typeof value === "string" ? printable(value) : value;
}
