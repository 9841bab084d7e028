/**
 * What the plane finds for a text, asked once for each pause in typing; a newer text ends an older
 * request.
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FoundObjects } from "../../../src/api/views/search.ts";
import { getJson } from "../live/api.ts";
import { type ApiFailure, failureOf } from "../live/api-failure.ts";

/** Shorter than a person notices, longer than the time between two letters. */
const PAUSE_MS = 150;
/** The plane takes no more. */
const LONGEST = 256;

export interface Search extends FoundObjects {
  /** The text that they were found for. */
  readonly text: string;
  readonly failure: ApiFailure | undefined;
}

const NOTHING: Search = { text: "", found: [], count: 0, failure: undefined };

/** The last answer stays until the next one has come. */
export function useSearch(typed: string): Search {
  const answer = useSignal<Search>(NOTHING);
  const text = typed.trim().slice(0, LONGEST);
  useEffect(() => {
    if (text === "") {
      answer.value = NOTHING;
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      getJson<FoundObjects>(`/search?${new URLSearchParams({ q: text }).toString()}`, {
        signal: stop.signal,
      }).then(
        ({ found, count }) => void (answer.value = { text, found, count, failure: undefined }),
        (error: unknown) => {
          if (!stop.signal.aborted) answer.value = { ...NOTHING, text, failure: failureOf(error) };
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  return answer.value;
}
