/**
 * The objects of a kind as they were at a revision: the present ones with everything undone that
 * came later. Pages of one list, and lists of an exact resourceVersion, need no copy kept for them.
 */
import type { ObjectKey, Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import type { Target } from "../list/served-kind.ts";

/**
 * `present` are those of the target. Undefined when the revision is older than what the plane
 * remembers.
 */
export function pastObjects(
  plane: PlanePort,
  { kind, namespace }: Target,
  {
    present,
    revision,
  }: { readonly present: ReadonlyMap<ObjectKey, AnyObject>; readonly revision: Revision },
): ReadonlyMap<ObjectKey, AnyObject> | undefined {
  if (revision >= plane.revision) return present;
  const commits = plane.since(revision);
  if (commits === undefined) return undefined;
  const past = new Map(present);
  for (const { changes } of commits.toReversed()) {
    for (const { key, before, after } of changes.toReversed()) {
      const some = after ?? before;
      if (some?.kind !== kind.api.kind) continue;
      if (namespace !== undefined && some.meta.namespace !== namespace) continue;
      if (before === undefined) past.delete(key);
      else past.set(key, before);
    }
  }
  return past;
}
