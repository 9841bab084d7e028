/**
 * Rows of a view in a shape of the page's own, for pages that show some hundred of them; large ones
 * read by position.
 */
import { useMemo } from "preact/hooks";
import type { ViewRow } from "./view-message.ts";
import type { ViewStream } from "./view-stream.ts";

/**
 * Made anew when the stream has told something, in the order in which the rows first came. `read`
 * stays the same.
 */
export function useRowsAs<T>({ rows }: ViewStream, read: (row: ViewRow) => T): readonly T[] {
  const version = rows.version.value;
  return useMemo(() => [...rows.peek().values()].map(read), [rows, version]);
}
