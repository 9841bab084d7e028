/**
 * Addresses of the dashboard: `/ui/PAGE/…` says what is shown, the query in which state. Nothing
 * here touches the browser.
 */
export const PAGE_NAMES = [
  "fleet",
  "workloads",
  "timeline",
  "queue",
  "quota",
  "promises",
  "regions",
  "steering",
  "incidents",
  "audit",
] as const;

export type PageName = (typeof PAGE_NAMES)[number];

export interface Route {
  /** Undefined when the address is of no page. */
  readonly page: PageName | undefined;
  /**
   * What follows the page's name, decoded: `["payments", "api"]` of `/ui/workloads/payments/api`.
   */
  readonly rest: readonly string[];
}

/** What a query is to become: a text sets a parameter, undefined or "" takes it off. */
export type QueryChanges = Readonly<Record<string, string | undefined>>;

export const LANDING: PageName = "fleet";

export function parseRoute(path: string): Route {
  const [root, page, ...rest] = path.split("/").filter((part) => part !== "");
  if (root === undefined || (root === "ui" && page === undefined))
    return { page: LANDING, rest: [] };
  const known = root === "ui" ? PAGE_NAMES.find((name) => name === page) : undefined;
  return { page: known, rest: rest.map(decoded) };
}

/** The address of a page: `hrefOf("workloads", ["payments", "api"], { tab: "replicas" })`. */
export function hrefOf(
  page: PageName,
  rest: readonly string[] = [],
  query: QueryChanges = {},
): string {
  const path = ["/ui", page, ...rest.map(encodeURIComponent)].join("/");
  return path + changeQuery("", query);
}

/** The query with the changes made, in the order it had; with its question mark, or empty. */
export function changeQuery(search: string, changes: QueryChanges): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** An address that somebody typed may hold a stray percent sign: it is shown as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
