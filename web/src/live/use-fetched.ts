/**
 * One answer of the plane for a component, such as an explanation: asked for when the path changes,
 * or again by hand.
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { getJson } from "./api.ts";
import { answered, unanswered } from "./answers.ts";
import { type ApiFailure, failureOf } from "./api-failure.ts";

export interface Fetched<T> {
  /** The newest answer; it stays while the next one is on its way, unless the path changed. */
  readonly value: T | undefined;
  readonly failure: ApiFailure | undefined;
  readonly isLoading: boolean;
  reload(): void;
}

interface Answer<T> {
  readonly path: string | undefined;
  readonly value?: T;
  readonly failure?: ApiFailure;
}

/** A page without a stream notices so that the plane is there again. */
const AGAIN_MS = 3_000;

/** Undefined asks for nothing. */
export function useFetched<T>(path: string | undefined): Fetched<T> {
  const answer = useSignal<Answer<T>>({ path: undefined });
  const turn = useSignal(0);
  useEffect(() => {
    if (path === undefined) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    getJson<T>(path, { signal: stop.signal }).then(
      (value) => {
        answered();
        return void (answer.value = { path, value });
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const failure = failureOf(error);
        const { path: of, value } = answer.peek();
        // An older answer says more than none; the line above the page tells how old it is.
        const isKept = failure.status === 0 && of === path && value !== undefined;
        answer.value = { path, failure, ...(isKept ? { value } : {}) };
        if (failure.status !== 0) return;
        unanswered(failure.message);
        timer = setTimeout(() => void (turn.value += 1), AGAIN_MS);
      },
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [path, turn.value]);
  const current: Answer<T> = answer.value.path === path ? answer.value : { path };
  const { value, failure } = current;
  return {
    value,
    failure,
    isLoading: path !== undefined && value === undefined && failure === undefined,
    reload: () => void (turn.value += 1),
  };
}
