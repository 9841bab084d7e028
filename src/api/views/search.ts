/** Objects by their names, for a person who types a part of one: the best matches first. */
import type { Kind } from "../../core/model/ids.ts";
import type { Sight } from "../access/sight.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";

export interface FoundObject {
  readonly kind: Kind;
  /** Empty: it belongs to no tenant. */
  readonly namespace: string;
  readonly name: string;
}

export interface FoundObjects {
  readonly found: readonly FoundObject[];
  /** Of all, also those that are left off. */
  readonly count: number;
}

/** In this order where they match alike. Replicas are found with their workload. */
const SEARCHED = ["Workload", "Node", "Tenant", "Override"] as const satisfies readonly Kind[];

/** A list that is read without scrolling. */
const SHOWN = 20;

/** Every word must be in `tenant/name`; without a word nothing is found. */
export function searchObjects(
  objects: ObjectIndex,
  text: string,
  sight: Pick<Sight, "sees">,
): FoundObjects {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first === undefined) return { found: [], count: 0 };
  const matches = SEARCHED.flatMap((kind, place) =>
    [...objects.all(kind).values()].flatMap(({ meta: { namespace, name } }) => {
      const key = namespace === "" ? name : `${namespace}/${name}`;
      if (!words.every((word) => key.toLowerCase().includes(word))) return [];
      if (!sight.sees({ kind, namespace, name })) return [];
      return [{ kind, namespace, name, key, place, rank: rankOf(name.toLowerCase(), first) }];
    }),
  );
  const found = matches
    .toSorted((a, b) => a.rank - b.rank || a.place - b.place || (a.key < b.key ? -1 : 1))
    .slice(0, SHOWN)
    .map(({ kind, namespace, name }) => ({ kind, namespace, name }));
  return { found, count: matches.length };
}

/** The whole name, its beginning, a part of it, or only its tenant. */
function rankOf(name: string, word: string): number {
  if (name === word) return 0;
  if (name.startsWith(word)) return 1;
  return name.includes(word) ? 2 : 3;
}
