/** A table of the plane as text: the columns people need, or all of them. */
import type { ShownTable } from "../../steering/api-object.ts";
import { printable } from "../../text/printable.ts";
import { columns } from "./columns.ts";

export interface TableOptions {
  readonly isWide: boolean;
  /** Shown for lists over all tenants. */
  readonly withNamespace: boolean;
  /** In front of names when several kinds are listed together. */
  readonly prefix?: string;
}

export function tableText(table: ShownTable, options: TableOptions): string {
  return columns([headings(table, options), ...rowsOf(table, options)]);
}

export function headings(table: ShownTable, options: TableOptions): readonly string[] {
  const names = shownColumns(table, options).map(
    (at) => table.columnDefinitions[at]?.name.toUpperCase() ?? "",
  );
  return options.withNamespace ? ["NAMESPACE", ...names] : names;
}

export function rowsOf(table: ShownTable, options: TableOptions): readonly (readonly string[])[] {
  const shown = shownColumns(table, options);
  return table.rows.map(({ cells, object }) => {
    const texts = shown.map((at) => {
      const text = oneLine(String(cells[at] ?? ""));
      return at === 0 && options.prefix !== undefined ? `${options.prefix}/${text}` : text;
    });
    return options.withNamespace ? [object.metadata.namespace ?? "", ...texts] : texts;
  });
}

function shownColumns(table: ShownTable, { isWide }: TableOptions): readonly number[] {
  return table.columnDefinitions.flatMap(({ priority }, at) =>
    priority === 0 || isWide ? [at] : [],
  );
}

/** A command may be a whole script; what it begins with is enough to recognise it. */
const WIDEST = 60;

function oneLine(text: string): string {
  const line = printable(text.replaceAll(/\s+/g, " ").trim());
  return line.length <= WIDEST ? line : `${line.slice(0, WIDEST - 1)}…`;
}
