/**
 * Work over all rows of a stream, done the less often the more rows there are: a page has to stay
 * smooth meanwhile.
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RowStore } from "./row-store.ts";

/** A hundred thousand rows are walked in some ten milliseconds; once a second, that is nothing. */
const ROWS_PER_MS = 100;

/**
 * The version to memo on: that of the rows, behind it by up to a second for a hundred thousand of
 * them, and by `leastMs` where rows that change places more often could not be clicked on.
 */
export function usePaced<Row>(rows: RowStore<Row>, leastMs = 0): number {
  const seen = useSignal(rows.version.peek());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      timer = undefined;
      seen.value = rows.version.peek();
    };
    look();
    const stop = rows.listen(({ isAll }) => {
      if (isAll) look();
      else timer ??= setTimeout(look, Math.max(leastMs, rows.peek().size / ROWS_PER_MS));
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [rows]);
  return seen.value;
}
