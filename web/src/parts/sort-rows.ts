/** The order of a table's rows. */
export interface Sortable<T> {
  readonly id: string;
  /** Left out: the table cannot be sorted by it. */
  readonly sortBy?: (row: T) => string | number;
}

export interface Sorting {
  readonly column: string;
  readonly isDown: boolean;
}

/** As the address keeps it: `age`, or `-age` for the other way round. */
export const parseSorting = (text: string): Sorting =>
  text.startsWith("-") ? { column: text.slice(1), isDown: true } : { column: text, isDown: false };

/** Rows that are alike stay in the order they came in. */
export function sortRows<T>(
  rows: readonly T[],
  columns: readonly Sortable<T>[],
  { column, isDown }: Sorting,
): readonly T[] {
  const sortBy = columns.find(({ id }) => id === column)?.sortBy;
  if (sortBy === undefined) return rows;
  const sign = isDown ? -1 : 1;
  // Asked once for each row, not once for each comparison.
  return rows
    .map((row) => ({ row, by: sortBy(row) }))
    .toSorted((a, b) => (a.by === b.by ? 0 : a.by < b.by ? -sign : sign))
    .map(({ row }) => row);
}
