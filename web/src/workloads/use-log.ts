/**
 * The text of a log as it comes, for a component; one that is followed goes on until it is left.
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { send } from "../live/api.ts";
import { type ApiFailure, failureOf } from "../live/api-failure.ts";
import { piecesOf } from "../live/pieces-of.ts";

export interface ReadLog {
  readonly text: string;
  readonly hasBegun: boolean;
  /** Nothing more comes. */
  readonly hasEnded: boolean;
  readonly failure: ApiFailure | undefined;
  reload(): void;
}

/** Some thousand lines: more is neither read nor drawn at once. */
const KEPT_CHARACTERS = 400_000;

type Reading = Omit<ReadLog, "reload">;
const NOTHING: Reading = { text: "", hasBegun: false, hasEnded: false, failure: undefined };

export function useLog(path: string): ReadLog {
  const log = useSignal<Reading>(NOTHING);
  const turn = useSignal(0);
  useEffect(() => {
    const stop = new AbortController();
    log.value = NOTHING;
    void readLog(path, stop.signal, (reading) => void (log.value = reading));
    return () => stop.abort();
  }, [path, turn.value]);
  return { ...log.value, reload: () => void (turn.value += 1) };
}

async function readLog(
  path: string,
  signal: AbortSignal,
  tell: (reading: Reading) => void,
): Promise<void> {
  let text = "";
  const now = (hasEnded: boolean): Reading => ({
    text,
    hasBegun: true,
    hasEnded,
    failure: undefined,
  });
  try {
    const { body } = await send("GET", path, undefined, {
      signal,
      headers: { Accept: "text/plain" },
    });
    tell(now(false));
    for await (const piece of body === null ? [] : piecesOf(body)) {
      text = (text + piece).slice(-KEPT_CHARACTERS);
      tell(now(false));
    }
    tell(now(true));
  } catch (error) {
    // What came before it broke stays to be read.
    if (!signal.aborted) tell({ ...now(true), hasBegun: text !== "", failure: failureOf(error) });
  }
}
