/** What one caller is shown: objects without the values that its roles do not let it see. */
import type { ApiContext } from "../http/api-context.ts";
import type { Caller } from "../http/caller.ts";
import type { Texts } from "../list/shown-texts.ts";
import { type Veil, withoutValues } from "./env-values.ts";

export function seenBy(context: ApiContext, caller: Caller): ApiContext {
  const { authorizer } = context;
  const veil: Veil = (object) => {
    const hidden = withoutValues(object);
    // Asked for each object, so that a watch shows no value after the right has gone.
    if (hidden === object || authorizer.canSeeValues(caller, object.meta.namespace)) return object;
    return hidden;
  };
  const { texts: open } = context;
  const texts: Texts = {
    of(kind, object) {
      const shown = veil(object);
      return shown === object ? open.of(kind, object) : open.once(kind, shown);
    },
    known: (kind, object, revision) =>
      veil(object) === object ? open.known(kind, object, revision) : undefined,
    hasRoomFor: (objects) => open.hasRoomFor(objects),
    once: (kind, object) => open.once(kind, veil(object)),
  };
  return { ...context, veil, texts };
}
