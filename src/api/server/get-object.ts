/** GET of one object. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "./api-context.ts";
import { parseShowing } from "./parse-showing.ts";
import { parseResourceVersion, waitUntilFresh } from "./resource-version.ts";
import { JSON_TYPE } from "./send-list.ts";
import { type NamedTarget, objectsOf, targetKey } from "./served-kind.ts";
import { showOne } from "./show.ts";
import { notFound } from "./status-error.ts";

export async function getObject(
  context: ApiContext,
  target: NamedTarget,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { plane, limits } = context;
  const { resourceVersion } = request.query as { readonly resourceVersion?: string };
  const showing = parseShowing(target.kind, request);
  const revision = parseResourceVersion(resourceVersion);
  await waitUntilFresh(plane, revision, limits.futureRevisionWaitMs);
  const held = objectsOf(target.kind, plane.objects).get(targetKey(target));
  if (held === undefined) throw notFound(target);
  if (showing.form === "object") {
    void reply.header("Content-Type", JSON_TYPE);
    await reply.send(context.texts.of(target.kind, held));
  } else await reply.send(showOne(context, showing, held));
}
