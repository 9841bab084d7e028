/** The refusal of a removal that others stand in the way of (OB4). */
import type { ObjectKey } from "../model/ids.ts";
import { no, type No } from "../protocol/no.ts";

export const stillInUse = (key: ObjectKey, by: ObjectKey | undefined): No | undefined =>
  by === undefined ? undefined : no("still-in-use", key, "unused", by);

/** The same one of several on every plane. */
export const firstKey = (keys: Iterable<ObjectKey>): ObjectKey | undefined =>
  [...keys].toSorted()[0];
