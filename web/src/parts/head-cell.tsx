/**
 * The heading of a column. Pressing it orders the rows by it, pressing it again the other way
 * round.
 */
import type { QueryState } from "../app/query-state.ts";
import { parseSorting, type Sortable } from "./sort-rows.ts";

export interface HeadCellProps<T> {
  readonly column: Sortable<T> & {
    readonly title: string;
    readonly width?: string;
    readonly align?: "end";
    readonly isWideOnly?: boolean;
  };
  readonly sort: QueryState | undefined;
}

export function HeadCell<T>({ column, sort }: HeadCellProps<T>) {
  const { id, title, width, align, isWideOnly = false, sortBy } = column;
  const { column: by, isDown } = parseSorting(sort?.value ?? "");
  const isBy = by === id;
  const direction = isDown ? "descending" : "ascending";
  const classes = `${align === "end" ? "cell-end" : ""} ${isWideOnly ? "wide-only" : ""}`.trim();
  return (
    <th
      scope="col"
      class={classes}
      {...(width === undefined ? {} : { style: { width } })}
      {...(isBy ? { "aria-sort": direction } : {})}
    >
      {sort === undefined || sortBy === undefined ? (
        title
      ) : (
        <button
          type="button"
          class="sort"
          onClick={() => void (sort.value = isBy && !isDown ? `-${id}` : id)}
        >
          {title}
          <span aria-hidden="true">{isBy ? (isDown ? " ↓" : " ↑") : ""}</span>
        </button>
      )}
    </th>
  );
}
