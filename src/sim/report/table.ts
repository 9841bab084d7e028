/** Lays out rows in columns: text to the left, numbers to the right. */

export interface Column {
  readonly title: string;
  readonly align: "left" | "right";
}

/** One line per row, the titles first, without trailing blanks. */
export function layOutTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string[] {
  const titles = columns.map(({ title }) => title);
  const widths = columns.map((_, index) =>
    Math.max(...[titles, ...rows].map((row) => (row[index] ?? "").length)),
  );
  return [titles, ...rows].map((row) =>
    columns
      .map(({ align }, index) => {
        const cell = row[index] ?? "";
        const width = widths[index] ?? 0;
        return align === "right" ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}
