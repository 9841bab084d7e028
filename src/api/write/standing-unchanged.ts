/** Refuses writes of objects that every plane has and no log. */
import type { Handler } from "../http/handler.ts";
import { invalid } from "../list/read-object.ts";
import { type NamedTarget, targetKey } from "../list/served-kind.ts";

export const standingUnchanged =
  (write: Handler<NamedTarget>): Handler<NamedTarget> =>
  (context, target, request, reply) => {
    const { kind, name } = target;
    const { standing } = kind;
    if (standing?.objects.has(targetKey(target)) !== true) {
      return write(context, target, request, reply);
    }
    const mistake = { field: "metadata.name", message: standing.instead };
    return Promise.reject(invalid(kind, name, [mistake]));
  };
