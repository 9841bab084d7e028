/** What the search box lists for a text: pages of the dashboard, then what the plane has found. */
import type { FoundObject } from "../../../src/api/views/search.ts";
import { hrefOf } from "../app/route.ts";
import type { PageName } from "../app/route.ts";

export interface SearchResult {
  /** "workload", "page": in a word. */
  readonly kind: string;
  readonly label: string;
  readonly href: string;
}

export interface NamedPage {
  readonly name: PageName;
  readonly label: string;
}

/** Without a text all pages: the box is a way to them, too. */
export function listResults(
  text: string,
  pages: readonly NamedPage[],
  found: readonly FoundObject[],
): readonly SearchResult[] {
  const typed = text.trim().toLowerCase();
  const fitting = pages.filter(({ label }) => label.toLowerCase().startsWith(typed));
  return [
    ...fitting.map(({ name, label }) => ({ kind: "page", label, href: hrefOf(name) })),
    ...found.map(resultOf),
  ];
}

function resultOf({ kind, namespace, name }: FoundObject): SearchResult {
  const label = namespace === "" ? name : `${namespace}/${name}`;
  return { kind: kind.toLowerCase(), label, href: hrefOfFound({ kind, namespace, name }) };
}

function hrefOfFound({ kind, namespace, name }: FoundObject): string {
  switch (kind) {
    case "Node":
      return hrefOf("fleet", [], { node: name });
    case "Tenant":
      return hrefOf("workloads", [], { tenant: name });
    case "Override":
      return hrefOf("steering", [], { override: name });
    default:
      return hrefOf("workloads", [namespace, name]);
  }
}

/** Around and around, as arrows go through a list; -1 is no choice yet. */
export function stepTo(at: number, step: 1 | -1, count: number): number {
  if (count === 0) return -1;
  if (at === -1) return step === 1 ? 0 : count - 1;
  return (at + step + count) % count;
}
