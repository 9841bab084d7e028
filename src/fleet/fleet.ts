/**
 * A fleet at one moment, whatever it was read from: objects as the log of a plane has them. A fleet
 * is where a twin begins; nothing here changes one.
 */
import { KINDS, type Revision } from "../core/model/ids.ts";
import type { AnyObject } from "../core/model/objects.ts";
import { ObjectIndex } from "../core/observe/object-index.ts";

export interface Fleet {
  /** For people, such as "60 nodes and 489 pods of Kubernetes". */
  readonly source: string;
  readonly objects: readonly AnyObject[];
}

/** A fleet as one plane had it at one revision. */
export interface PlaneFleet extends Fleet {
  readonly revision: Revision;
  /** When, on the clock of the plane. */
  readonly atMs: number;
}

export function indexOf({ objects }: Fleet): ObjectIndex {
  const index = new ObjectIndex();
  for (const object of objects) {
    index.fold({ key: object.key, before: undefined, after: object });
  }
  return index;
}

/** In the order of the kinds, each kind by its keys: the same fleet is the same text. */
export const allOf = (index: ObjectIndex): readonly AnyObject[] =>
  KINDS.flatMap((kind): readonly AnyObject[] =>
    [...index.all(kind).values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  );
