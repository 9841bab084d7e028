/**
 * Where a view is not the state at its revision: a watch that dropped commits, an agent that is not
 * shown everything, or a view that folds wrongly.
 */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { wantsObject } from "../../core/observe/interest.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { View } from "../../core/observe/view.ts";

/** `held` undefined: it ought to hold the object and does not. */
export interface Astray {
  readonly key: ObjectKey;
  readonly held: AnyObject | undefined;
}

/** `state` is everything as of the view's revision. */
export function astrayIn(view: View, state: ObjectIndex): readonly Astray[] {
  const { interest, objects } = view;
  const found = new Map<ObjectKey, Astray>();
  for (const kind of interest.kinds) {
    for (const [key, object] of state.all(kind)) {
      const held: AnyObject | undefined = objects.get(key);
      if (held === undefined && wantsObject(interest, object)) found.set(key, { key, held });
    }
    for (const [key, held] of objects.all(kind)) {
      if (state.get(key)?.meta.revision !== held.meta.revision) found.set(key, { key, held });
    }
  }
  return [...found.values()];
}
