/**
 * The objects of a kind as they were at a revision: the present ones with everything undone that came
 * later. Pages of one list, and lists of an exact resourceVersion, need no copy kept for them.
 */
import type { ObjectKey, Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { objectsOf, type ServedKind } from "./served-kind.ts";

/** Undefined when the revision is older than what the plane remembers. */
export function pastObjects(
  plane: PlanePort,
  kind: ServedKind,
  revision: Revision,
): ReadonlyMap<ObjectKey, AnyObject> | undefined {
  const present = objectsOf(kind, plane.objects);
  if (revision >= plane.revision) return present;
  const commits = plane.since(revision);
  if (commits === undefined) return undefined;
  const past = new Map(present);
  for (const { changes } of commits.toReversed()) {
    for (const { key, before, after } of changes.toReversed()) {
      if ((after ?? before)?.kind !== kind.api.kind) continue;
      if (before === undefined) past.delete(key);
      else past.set(key, before);
    }
  }
  return past;
}
