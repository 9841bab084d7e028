/**
 * Whether an object has owners of which none exists any more (OB10). The controller that collects
 * such objects asks its view, the authority asks committed state.
 */
import type { AnyObject } from "../model/objects.ts";
import type { Owner } from "../model/owner.ts";
import type { ObjectIndex } from "../observe/object-index.ts";

export function ownersGone(objects: Pick<ObjectIndex, "get">, { meta }: AnyObject): boolean {
  const { owners = [] } = meta;
  return owners.length > 0 && !owners.some((owner) => exists(objects, owner));
}

const exists = (objects: Pick<ObjectIndex, "get">, { key, uid }: Owner): boolean =>
  objects.get(key)?.meta.uid === uid;
