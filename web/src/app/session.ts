/**
 * Who the reader is to the plane. The token lives as long as the tab, and is sent to the plane that
 * served the page only.
 */
import { signal } from "@preact/signals";

const KEY = "berth-token";

const FRAGMENT = "#token=";

/**
 * `berth up` prints an address that logs the reader in. The token leaves the address bar before
 * anything else is done.
 */
function fromAddress(): string {
  if (typeof location === "undefined" || !location.hash.startsWith(FRAGMENT)) return "";
  const given = decodeURIComponent(location.hash.slice(FRAGMENT.length));
  history.replaceState(null, "", location.pathname + location.search);
  sessionStorage.setItem(KEY, given);
  return given;
}

const kept = (): string =>
  typeof sessionStorage === "undefined" ? "" : (sessionStorage.getItem(KEY) ?? "");

export const token = signal(fromAddress() || kept());
/** What the plane said when it did not know the reader; undefined while it does. */
export const refusedAs = signal<string | undefined>(undefined);

export function keepToken(text: string): void {
  if (text === "") sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, text);
  token.value = text;
  refusedAs.value = undefined;
}
