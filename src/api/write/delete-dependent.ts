/**
 * DELETE of an object that the plane alone ends, because it goes with its owner. Where the owner is
 * on its way out, so is the object, and asking for it is no mistake: `kubectl delete all --all`
 * asks for workloads and then for their replicas.
 */
import { ApiError } from "../errors.ts";
import type { Handler } from "../http/handler.ts";
import { notFound } from "../http/status-error.ts";
import { parseShowing } from "../list/parse-showing.ts";
import { type NamedTarget, targetKey } from "../list/served-kind.ts";
import { showOne } from "../list/show.ts";

export const deleteDependent: Handler<NamedTarget> = async (context, target, request, reply) => {
  const { objects } = context.plane;
  const held = objects.get(targetKey(target));
  if (held === undefined) throw notFound(target);
  const { key, uid } = target.kind.api.owner?.(held) ?? {};
  const owner = key === undefined ? undefined : objects.get(key);
  const stays = owner?.meta.uid === uid && owner?.meta.deletingMs === undefined;
  if (stays) {
    void reply.header("Allow", "GET, HEAD");
    throw new ApiError(
      "wrong-method",
      `${held.meta.name} goes with ${key ?? "its owner"}: scale that down, or delete it.`,
    );
  }
  await reply.send(showOne(context, parseShowing(target.kind, request), held));
};
