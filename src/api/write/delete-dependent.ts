/**
 * DELETE of an object that goes with its owner. Where the owner is on its way out, so is the
 * object, and asking for it is no mistake: `kubectl delete all --all` asks for workloads and then
 * for their replicas. Where the owner stays, a replica restarts: another takes its index (ST90).
 */
import type { Handler } from "../http/handler.ts";
import { notFound } from "../http/status-error.ts";
import { parseShowing } from "../list/parse-showing.ts";
import { type NamedTarget, targetKey } from "../list/served-kind.ts";
import { showOne } from "../list/show.ts";
import { deleteOne } from "./delete.ts";

export const deleteDependent: Handler<NamedTarget> = async (context, target, request, reply) => {
  const { objects } = context.plane;
  const held = objects.get(targetKey(target));
  if (held === undefined) throw notFound(target);
  const { key, uid } = target.kind.api.owner?.(held) ?? {};
  const owner = key === undefined ? undefined : objects.get(key);
  const stays = owner?.meta.uid === uid && owner?.meta.deletingMs === undefined;
  await (stays
    ? deleteOne(context, target, request, reply)
    : reply.send(showOne(context, parseShowing(target.kind, request), held)));
};
