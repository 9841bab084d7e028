/** The state of the search box: what is typed and chosen, and what each key does. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { useKeys } from "../app/keys.ts";
import { PAGES } from "../app/pages.ts";
import { navigate } from "../app/router.ts";
import { listResults, type SearchResult, stepTo } from "./search-results.ts";
import { type Search, useSearch } from "./use-search.ts";

/** A page without a key is reached from others, and needs an object in its address. */
const SHOWN_PAGES = PAGES.filter(({ key }) => key !== undefined);

export interface SearchBoxState {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly typed: ReadonlySignal<string>;
  readonly isOpen: ReadonlySignal<boolean>;
  /** The index of the result that Enter opens; -1: the first, and none is marked. */
  readonly chosen: ReadonlySignal<number>;
  readonly search: Search;
  readonly results: readonly SearchResult[];
  readonly show: () => void;
  readonly close: () => void;
  readonly type: (text: string) => void;
  readonly press: (event: KeyboardEvent) => void;
  readonly open: (result: SearchResult | undefined) => void;
}

export function useSearchBox(): SearchBoxState {
  const input = useRef<HTMLInputElement>(null);
  const isOpen = useSignal(false);
  const typed = useSignal("");
  const chosen = useSignal(-1);
  const search = useSearch(typed.value);
  const results = listResults(typed.value, SHOWN_PAGES, search.found);
  const leave = useWayBack(input);
  const show = (): void => void (isOpen.value = true);
  const close = (): void => {
    isOpen.value = false;
    typed.value = "";
    chosen.value = -1;
  };
  const open = (result: SearchResult | undefined): void => {
    if (result === undefined) return;
    close();
    input.current?.blur();
    navigate(result.href);
  };
  const step = (by: 1 | -1): void => {
    show();
    chosen.value = stepTo(chosen.value, by, results.length);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => open(results[Math.max(0, chosen.value)]),
    Escape: () => {
      close();
      leave();
    },
  };
  const press = (event: KeyboardEvent): void => {
    const run = keys[event.key];
    if (run === undefined) return;
    event.preventDefault();
    // Escape here is not the press that closes a panel.
    event.stopPropagation();
    run();
  };
  const type = (text: string): void => {
    typed.value = text;
    chosen.value = -1;
    show();
  };
  return { input, typed, isOpen, chosen, search, results, show, close, type, press, open };
}

/** `/` comes here from anywhere; the answer leads back to where the reader was. */
function useWayBack(input: RefObject<HTMLInputElement | null>): () => void {
  const before = useRef<Element | null>(null);
  useKeys("Search", [
    {
      keys: "/",
      text: "Search workloads, nodes, tenants, overrides and pages",
      run: () => {
        before.current = document.activeElement;
        input.current?.focus();
      },
    },
  ]);
  return () => {
    const { current } = before;
    const isThere = current instanceof HTMLElement && current.isConnected;
    if (isThere && current !== document.body) current.focus({ preventScroll: true });
    else input.current?.blur();
  };
}
