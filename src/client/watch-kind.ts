/**
 * Follows a collection for as long as the reader wants: a list first, then every change after it.
 * A broken or silent stream is resumed from the last resourceVersion. When the plane no longer has
 * the changes in between (410), the collection is listed again, so that no deletion is missed.
 */
import { BerthError } from "./berth-error.ts";
import { readLines } from "./read-lines.ts";
import { isPassing, pause, type Transport } from "./transport.ts";

export type WatchEvent<T> =
  /** Everything there is: it replaces the reader's copy. */
  | { readonly type: "LISTED"; readonly objects: readonly T[]; readonly resourceVersion: string }
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T };

export interface WatchOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** Changes after this version only; left out: a list comes first. */
  readonly resourceVersion?: string;
  /** Called with every failure that the watch survives. */
  readonly onError?: (error: BerthError) => void;
}

export interface Watched {
  readonly transport: Transport;
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly options: WatchOptions;
}

interface Listed<T> {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly T[];
}

interface Line<T> {
  readonly type: string;
  readonly object: T & {
    readonly code?: number;
    readonly message?: string;
    readonly reason?: string;
    readonly metadata?: { readonly resourceVersion?: string };
  };
}

/** Planes send a bookmark every five seconds: three of them missed is a stream that is cut. */
const SILENCE_MS = 15_000;
const GONE = 410;

export async function* watchKind<T>(of: Watched): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const { transport, path, query, options } = of;
  const { signal, onError = () => undefined } = options;
  const isOver = (): boolean => signal?.aborted ?? false;
  let from = options.resourceVersion;
  let failures = 0;
  while (!isOver()) {
    try {
      if (from === undefined) {
        const asked = { method: "GET", path, query, ...(signal === undefined ? {} : { signal }) };
        const list = await transport.call<Listed<T>>(asked as Parameters<Transport["call"]>[0]);
        from = list.metadata.resourceVersion;
        yield { type: "LISTED", objects: list.items, resourceVersion: from };
      }
      for await (const { type, object } of linesFrom<T>(of, from)) {
        failures = 0;
        from = object.metadata?.resourceVersion ?? from;
        if (type === "ADDED" || type === "MODIFIED" || type === "DELETED") yield { type, object };
      }
    } catch (error) {
      if (isOver()) return;
      const told = transport.explained(error);
      if (told.status === GONE) from = undefined;
      else if (!isPassing(told)) throw told;
      onError(told);
    }
    // A plane may also end a stream cleanly, each time at once: a reader must not flood it.
    await pause(new BerthError(""), failures, signal);
    failures += 1;
  }
}

async function* linesFrom<T>(
  { transport, path, query, options }: Watched,
  resourceVersion: string,
): AsyncGenerator<Line<T>, void, undefined> {
  const silence = new AbortController();
  const { signal = silence.signal } = options;
  const late = () => silence.abort(new Error("the stream is silent"));
  const timer = setTimeout(late, SILENCE_MS);
  try {
    const response = await transport.open({
      method: "GET",
      path,
      query: { ...query, watch: true, allowWatchBookmarks: true, resourceVersion },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    for await (const text of readLines(response, () => void timer.refresh())) {
      if (text === "") continue;
      const line = JSON.parse(text) as Line<T>;
      if (line.type === "ERROR") throw errorIn(line);
      yield line;
    }
  } finally {
    clearTimeout(timer);
    // A reader that leaves in the middle leaves no connection behind.
    silence.abort();
  }
}

const errorIn = <T>({ object: { code, message, reason } }: Line<T>): BerthError =>
  new BerthError(message ?? "The plane ended the watch with an error.", {
    status: code ?? 500,
    ...(reason === undefined ? {} : { reason }),
  });
