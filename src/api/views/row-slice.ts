/**
 * The next rows to send: so many that a message stays small, and so few that others are served in
 * between.
 */
import type { TextOf } from "./view-feed.ts";

export interface RowSlice {
  readonly rows: readonly string[];
  readonly gone: readonly string[];
}

/** Some hundred kilobytes: one write to a socket, and one step of a progress bar. */
const ROWS_MOST = 2_000;

/** Beside a lease of seconds this is a short wait, and a thousand simple rows are made in it. */
const SLICE_MS = 10;

/** Asking for the time costs as much as a simple row does. */
const LOOK_EVERY = 32;

/** `next` hands out keys and takes them off whatever it hands them out of. */
export function sliceOf(next: () => string | undefined, textOf: TextOf): RowSlice {
  const rows: string[] = [];
  const gone: string[] = [];
  const endMs = performance.now() + SLICE_MS;
  for (let made = 1; made <= ROWS_MOST; made += 1) {
    const key = next();
    if (key === undefined) break;
    const text = textOf(key);
    if (text === undefined) gone.push(key);
    else rows.push(text);
    if (made % LOOK_EVERY === 0 && performance.now() > endMs) break;
  }
  return { rows, gone };
}
