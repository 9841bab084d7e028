/**
 * One parameter of the address's query as a value that is read and written: what a page lets people
 * choose belongs there, so that a link shows the same and reload and back keep the place.
 */
import { computed } from "@preact/signals";
import { search, setQuery } from "./router.ts";

export interface QueryState {
  /** Reading it while rendering follows the address; writing it changes the address. */
  value: string;
}

export interface QueryStateOptions {
  /** What it is when the address does not say; it is left out of the address then. */
  readonly fallback?: string;
  /** `push`: back returns to the value before. What is typed letter by letter replaces instead. */
  readonly history?: "push" | "replace";
}

export function queryState(
  name: string,
  { fallback = "", history = "replace" }: QueryStateOptions = {},
): QueryState {
  const current = computed(() => new URLSearchParams(search.value).get(name) ?? fallback);
  return {
    get value() {
      return current.value;
    },
    set value(value) {
      setQuery(
        { [name]: value === fallback ? undefined : value },
        { replace: history === "replace" },
      );
    },
  };
}
