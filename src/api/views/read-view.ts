/**
 * A whole view at once, for clients that do not watch: made in slices, with changed rows made
 * again.
 */
import { nextSlice } from "../http/next-slice.ts";
import { sliceOf } from "./row-slice.ts";
import type { RowsShown } from "./rows-shown.ts";
import type { RowReader, ViewFeed } from "./view-feed.ts";

/**
 * A busy plane touches rows in every turn. After so many rounds few are left, and they are made in
 * one go.
 */
const ROUNDS = 3;

export interface ReadView {
  /** The beginning of the answer, up to its rows. */
  readonly head: string;
  /** Each as JSON. */
  readonly rows: Iterable<string>;
}

/**
 * All rows, or the one of a key, are as of one revision. They are not joined: a text of all of them
 * may be too long for one turn.
 */
export async function readView(feed: ViewFeed, shown: RowsShown, only?: string): Promise<ReadView> {
  const dirty = new Set<string>();
  const reader: RowReader = {
    mark: (key) => void dirty.add(key),
    flush: () => false,
    end: () => {},
  };
  const { keys, leave } = feed.join(reader, only);
  try {
    const texts = new Map<string, string>();
    let due: readonly string[] = keys.filter((key) => shown.sees(key));
    for (let round = 0; round < ROUNDS && due.length > 0; round += 1) {
      await makeRows(feed, { due, shown }, texts);
      due = taken(dirty).filter((key) => shown.sees(key));
    }
    feed.catchUp();
    const late = taken(dirty).filter((key) => shown.sees(key));
    for (const key of [...due, ...late]) setText(texts, key, shown.row(key, feed.textOf(key)));
    return { head: `${feed.head()},"rows":[`, rows: texts.values() };
  } finally {
    leave();
  }
}

async function makeRows(
  feed: ViewFeed,
  { due, shown }: { readonly due: readonly string[]; readonly shown: RowsShown },
  texts: Map<string, string>,
): Promise<void> {
  const keys = due.values();
  for (let at = 0; at < due.length;) {
    sliceOf(
      () => {
        const { done, value } = keys.next();
        if (done === true) return undefined;
        at += 1;
        return value;
      },
      (key) => {
        const text = shown.row(key, feed.textOf(key));
        setText(texts, key, text);
        return text;
      },
    );
    await nextSlice();
  }
  feed.catchUp();
}

function setText(texts: Map<string, string>, key: string, text: string | undefined): void {
  if (text === undefined) texts.delete(key);
  else texts.set(key, text);
}

function taken(dirty: Set<string>): readonly string[] {
  const keys = [...dirty];
  dirty.clear();
  return keys;
}
