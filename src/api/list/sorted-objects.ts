/**
 * Some objects of one kind in the order of their keys. The order is worked out when somebody asks
 * and holds until an object comes or goes; a list that was handed out is never changed.
 */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";

export class SortedObjects {
  readonly objects: ReadonlyMap<ObjectKey, AnyObject>;
  private keys: readonly ObjectKey[] | undefined;
  private list: readonly AnyObject[] | undefined;

  constructor(objects: ReadonlyMap<ObjectKey, AnyObject>) {
    this.objects = objects;
  }

  /** Something on it was written; `isSameSet` when it was there before and still is. */
  note(isSameSet: boolean): void {
    this.list = undefined;
    if (!isSameSet) this.keys = undefined;
  }

  sorted(): readonly AnyObject[] {
    this.keys ??= [...this.objects.keys()].toSorted();
    this.list ??= this.keys.flatMap((key) => this.objects.get(key) ?? []);
    return this.list;
  }
}
