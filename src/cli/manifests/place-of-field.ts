/** Where in a YAML document a field stands, found by the path the plane names it with. */
import { isAlias, isMap, isPair, isScalar, isSeq, type Node, type Pair } from "yaml";
import type { Manifest } from "./read-manifests.ts";

/**
 * `spec.spread[0].by` and `metadata.labels[example.com/team]` in parts; a number is a place in a
 * list.
 */
export function partsOfField(field: string): readonly string[] {
  return [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(
    ([, inner, word]) => inner ?? word ?? "",
  );
}

export interface FieldPlace {
  readonly line: number;
  readonly column: number;
}

/** A field that is not there is shown where it would stand: at the nearest field around it. */
export function placeOfField(manifest: Manifest, field: string): FieldPlace {
  const { document, lines } = manifest;
  let node = document.contents as unknown;
  let offset = startOf(node) ?? 0;
  for (const part of partsOfField(field)) {
    const source = isAlias(node) ? node.resolve(document) : node;
    const pair = isMap(source) ? source.items.find((item) => isNamed(item, part)) : undefined;
    const item = isSeq(source) ? source.items[Number(part)] : undefined;
    // The name of the field, not its value: a value of several lines may begin far below.
    const next = startOf(pair?.key) ?? startOf(item);
    if (next === undefined) break;
    offset = next;
    node = pair === undefined ? item : pair.value;
  }
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

const isNamed = (item: Pair, part: string): boolean =>
  isScalar(item.key) ? String(item.key.value) === part : item.key === part;

function startOf(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null) return undefined;
  if (isPair(node)) return startOf(node.key);
  return (node as Partial<Node>).range?.[0];
}
