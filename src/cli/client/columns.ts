/**
 * Text in columns, each as wide as its widest cell, three blanks between, as kubectl users know it.
 */
import { printable } from "../../text/printable.ts";

const GAP = "   ";

export function columns(cells: readonly (readonly string[])[]): string {
  // Before they are measured: an escaped character is longer than it was.
  const rows = cells.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  }
  return rows.map((row) => `${line(row, widths)}\n`).join("");
}

function line(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join(GAP)
    .trimEnd();
}
