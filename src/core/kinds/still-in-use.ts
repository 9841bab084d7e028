/** The refusal of a removal that others stand in the way of (OB4). */
import type { ObjectKey } from "../model/ids.ts";
import { reject, type Rejection } from "../protocol/rejection.ts";

export const stillInUse = (key: ObjectKey, by: ObjectKey | undefined): Rejection | undefined =>
  by === undefined ? undefined : reject("still-in-use", key, "unused", by);

/** The same one of several on every plane. */
export const firstKey = (keys: Iterable<ObjectKey>): ObjectKey | undefined =>
  [...keys].toSorted()[0];
