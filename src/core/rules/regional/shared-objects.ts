/**
 * The objects that the global plane owns and every region has a copy of. A newer object
 * than the region's copy is sent; objects that are gone leave no trace in a view, so both sides
 * compare a digest of the names that they have.
 */
import type { Kind, ObjectKey } from "../../model/ids.ts";
import type { ObjectOf } from "../../model/objects.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";

/**
 * In a region the limit of a Quota is what was lent: of the global plane's only the rest is copied.
 */
const SHARED_KINDS = [
  "Tenant",
  "Quota",
  "PriorityClass",
  "Policy",
  "PolicyRevision",
  "Region",
] as const satisfies readonly Kind[];
export type SharedKind = (typeof SHARED_KINDS)[number];

const IS_SHARED: ReadonlySet<Kind> = new Set(SHARED_KINDS);
export const isSharedKind = (kind: Kind): kind is SharedKind => IS_SHARED.has(kind);

/** All that a region is to have; what is on its way out counts as gone. */
export function* sharedObjects(
  objects: ObjectIndex,
  region: string,
): Iterable<ObjectOf<SharedKind>> {
  for (const kind of SHARED_KINDS) {
    for (const object of objects.all(kind).values()) {
      if (object.meta.deletingMs !== undefined) continue;
      if (kind !== "Region" || object.meta.name === region) yield object;
    }
  }
}

/** Names that both sides must have alike; a region keeps a Quota of its own making. */
export function* sharedNames(objects: ObjectIndex, region: string): Iterable<ObjectKey> {
  for (const { kind, key } of sharedObjects(objects, region)) if (kind !== "Quota") yield key;
}

/** The same for the same names, in whatever order. */
export function digestOf(names: Iterable<ObjectKey>): number {
  let sum = 0;
  for (const name of names) sum = (sum + hashOf(name)) >>> 0;
  return sum;
}

/** FNV-1a and a mix: sums of raw hashes of like names lie close together. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  }
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}
