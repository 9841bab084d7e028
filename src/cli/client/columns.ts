/** Text in columns, each as wide as its widest cell, three blanks between, as kubectl users know it. */
const GAP = "   ";

export function columns(rows: readonly (readonly string[])[]): string {
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
