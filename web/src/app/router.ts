/**
 * Where the reader is. Plain links do the work: a click on one that stays in the dashboard changes
 * the page without loading it.
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { changeQuery, parseRoute, type QueryChanges, type Route } from "./route.ts";

interface Place {
  readonly path: string;
  readonly search: string;
}

export interface Move {
  /** The entry of the history that is there is changed: back does not lead to what was before. */
  readonly replace?: boolean;
}

const here = (): Place =>
  // Modules that read the address are also loaded where there is none.
  typeof location === "undefined"
    ? { path: "/ui/fleet", search: "" }
    : { path: location.pathname, search: location.search };

const place = signal<Place>(here());
const path = computed(() => place.value.path);

export const search: ReadonlySignal<string> = computed(() => place.value.search);
/** Does not change with the query alone. */
export const route: ReadonlySignal<Route> = computed(() => parseRoute(path.value));

export function navigate(href: string, { replace = false }: Move = {}): void {
  const to = new URL(href, location.href);
  const from = here();
  if (to.pathname === from.path && to.search === from.search) return;
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  place.value = here();
}

/** Several parameters at once, as one entry of the history. */
export function setQuery(changes: QueryChanges, move: Move = {}): void {
  const { path: at, search: query } = here();
  navigate(at + changeQuery(query, changes), move);
}

/**
 * The address of this page with its query changed, for a link. Read while rendering, it follows the
 * query.
 */
export const hrefWith = (changes: QueryChanges): string =>
  path.value + changeQuery(search.value, changes);

/** Follows the browser's own buttons and takes over clicks on links. Returns how to stop. */
export function startRouter(): () => void {
  addEventListener("popstate", moved);
  document.addEventListener("click", clicked);
  return () => {
    removeEventListener("popstate", moved);
    document.removeEventListener("click", clicked);
  };
}

function moved(): void {
  place.value = here();
}

function clicked(event: MouseEvent): void {
  const href = ownLinkOf(event);
  if (href === undefined) return;
  event.preventDefault();
  navigate(href);
}

/** A new tab, a download and a link elsewhere stay the browser's. */
function ownLinkOf(event: MouseEvent): string | undefined {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (event.defaultPrevented || !isPlain || event.altKey) return undefined;
  const link = (event.target as Element | null)?.closest("a");
  if (!link || link.target !== "" || link.hasAttribute("download")) return undefined;
  const to = new URL(link.href, location.href);
  // A link to a place on this page, such as the one that skips the navigation.
  if (to.hash !== "") return undefined;
  return to.origin === location.origin && to.pathname.startsWith("/ui/") ? to.href : undefined;
}
