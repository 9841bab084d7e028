/**
 * A table that draws only the rows near what is seen. It is a real table: the rows that are left
 * out are told by their number. The first cell of a row is its link; `j` and `k` move from row to
 * row, Enter opens.
 */
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { useKeys } from "../app/keys.ts";
import type { QueryState } from "../app/query-state.ts";
import { navigate } from "../app/router.ts";
import { HeadCell } from "./head-cell.tsx";
import { parseSorting, type Sortable, sortRows } from "./sort-rows.ts";
import { useWindowRows, type WindowRows } from "./use-window-rows.ts";

export interface Column<T> extends Sortable<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Of CSS: `12ch`, `20%`. Left out: what the others leave. */
  readonly width?: string;
  readonly align?: "end";
  /** Left out on a phone. */
  readonly isWideOnly?: boolean;
}

export interface VirtualTableProps<T> {
  /** Of the table, for screen readers: "Workloads". */
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  /** Where a row leads. */
  readonly hrefOf?: (row: T) => string;
  /** The key of the row that is open beside the table. */
  readonly selected?: string | undefined;
  /** Which column orders the rows; left out, they stay as given. */
  readonly sort?: QueryState;
  /** Of each row; where rows may grow, the least. */
  readonly rowPx?: number;
  /** A short table is drawn whole, and each of its rows is as high as its text needs. */
  readonly mayGrow?: boolean;
  /** In place of rows when there are none. */
  readonly empty?: ComponentChildren;
}

/** A line of text with its share of the 4 px grid. */
const ROW_PX = 32;
/** So many rows are drawn at once without a delay that a reader would notice. */
const WHOLE_ROWS = 200;
/**
 * A row that was scrolled to is drawn one or two frames later; a tenth of a second is patience
 * enough.
 */
const FRAMES = 6;

export function VirtualTable<T>(props: VirtualTableProps<T>) {
  const { label, columns, rowPx = ROW_PX, mayGrow = false, sort, empty } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const order = sort?.value ?? "";
  const rows = useMemo(
    () => sortRows(props.rows, columns, parseSorting(order)),
    [props.rows, columns, order],
  );
  const isWhole = mayGrow && rows.length <= WHOLE_ROWS;
  const windowed = useWindowRows(body, { count: rows.length, rowPx });
  const near = isWhole ? wholeRows(rows.length, body) : windowed;
  useRowKeys(body, rows.length, near.scrollTo);
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <table
      class={isWhole ? "table" : "table table-windowed"}
      aria-label={label}
      aria-rowcount={rows.length + 1}
    >
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} sort={sort} />
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        <Gap px={near.beforePx} columns={columns} />
        {near.indices.map((at) => {
          const row = rows[at];
          return row === undefined ? null : (
            <Row
              key={props.keyOf(row)}
              row={row}
              at={at}
              px={isWhole ? ROW_PX : rowPx}
              table={props}
            />
          );
        })}
        <Gap px={near.afterPx} columns={columns} />
      </tbody>
    </table>
  );
}

function wholeRows(count: number, body: { readonly current: HTMLElement | null }): WindowRows {
  return {
    indices: Array.from({ length: count }, (_, at) => at),
    beforePx: 0,
    afterPx: 0,
    scrollTo: (index) =>
      body.current?.querySelector(`tr[data-row="${index}"]`)?.scrollIntoView({ block: "nearest" }),
  };
}

function Row<T>(of: {
  readonly row: T;
  readonly at: number;
  readonly px: number;
  readonly table: VirtualTableProps<T>;
}) {
  const { row, at, px, table } = of;
  const href = table.hrefOf?.(row);
  const open = (event: MouseEvent): void => {
    // Links and buttons in the row do what they say; selecting text opens nothing.
    const isOther = (event.target as Element).closest("a, button, input, label") !== null;
    if (href !== undefined && !isOther && getSelection()?.isCollapsed !== false) navigate(href);
  };
  return (
    <tr
      aria-rowindex={at + 2}
      data-row={at}
      class={href === undefined ? undefined : "row-link"}
      style={{ height: `${px}px` }}
      onClick={open}
      {...(table.keyOf(row) === table.selected ? { "data-selected": true } : {})}
    >
      {table.columns.map(({ id, cell, align, isWideOnly }, place) => (
        <td key={id} class={cellClass(align, isWideOnly)}>
          {place === 0 && href !== undefined ? <a href={href}>{cell(row)}</a> : cell(row)}
        </td>
      ))}
    </tr>
  );
}

const cellClass = (align?: "end", isWideOnly = false): string =>
  `${align === "end" ? "cell-end" : ""} ${isWideOnly ? "wide-only" : ""}`.trim();

/** Holds the place of rows that are not drawn, and only of the columns that are. */
function Gap<T>({ px, columns }: { readonly px: number; readonly columns: readonly Column<T>[] }) {
  if (px <= 0) return null;
  const wide = columns.filter(({ isWideOnly }) => isWideOnly === true).length;
  return (
    <tr aria-hidden="true" class="gap">
      <td colSpan={columns.length - wide} style={{ height: `${px}px` }} />
      {wide > 0 && <td class="wide-only" colSpan={wide} />}
    </tr>
  );
}

/** The row that has the focus moves; where none has, the first one gets it. */
function useRowKeys(
  body: { readonly current: HTMLElement | null },
  count: number,
  scrollTo: (index: number) => void,
): void {
  // Keys may come faster than rows are drawn: the next one goes on from where the last one leads.
  const aim = useRef<number>(undefined);
  const move = (step: number): void => {
    const from = aim.current ?? focusedRow(body.current);
    const to = Math.max(0, Math.min(count - 1, from === undefined ? 0 : from + step));
    aim.current = to;
    scrollTo(to);
    const arrive = (triesLeft: number): void => {
      if (aim.current !== to) return;
      if (focusRow(body.current, to) || triesLeft === 0) aim.current = undefined;
      else requestAnimationFrame(() => arrive(triesLeft - 1));
    };
    requestAnimationFrame(() => arrive(FRAMES));
  };
  useKeys("Table", [
    { keys: "j", text: "Next row", run: () => move(1) },
    { keys: "k", text: "Previous row", run: () => move(-1) },
    { keys: "ArrowDown", text: "Next row", run: () => move(1) },
    { keys: "ArrowUp", text: "Previous row", run: () => move(-1) },
  ]);
}

function focusedRow(body: HTMLElement | null): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>("tr[data-row]");
  return row && body?.contains(row) ? Number(row.dataset["row"]) : undefined;
}

function focusRow(body: HTMLElement | null, index: number): boolean {
  const link = body?.querySelector<HTMLElement>(`tr[data-row="${index}"] a`);
  link?.focus({ preventScroll: true });
  return link !== null && link !== undefined;
}
