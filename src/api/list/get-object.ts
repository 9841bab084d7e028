/** GET of one object. */
import type { Handler } from "../http/handler.ts";
import { parseShowing } from "./parse-showing.ts";
import { getPast } from "../routes/past-reads.ts";
import {
  listTime,
  parseResourceVersion,
  type VersionQuery,
  waitUntilFresh,
} from "./resource-version.ts";
import { JSON_TYPE } from "../bounds/paced-answer.ts";
import { type NamedTarget, objectsOf, targetKey } from "./served-kind.ts";
import { showOne } from "./show.ts";
import { notFound } from "../http/status-error.ts";

export const getObject: Handler<NamedTarget> = async (context, target, request, reply) => {
  const { plane, limits } = context;
  const query = request.query as VersionQuery;
  const showing = parseShowing(target.kind, request);
  const revision = parseResourceVersion(query.resourceVersion);
  const time = query.resourceVersionMatch === undefined ? undefined : listTime(query);
  await waitUntilFresh(plane, revision, limits.futureRevisionWaitMs);
  if (time?.kind === "exact" && time.revision < plane.revision) {
    await getPast(context, { target, showing, revision: time.revision }, reply);
    return;
  }
  const held = objectsOf(target.kind, plane.objects).get(targetKey(target));
  if (held === undefined) throw notFound(target);
  if (showing.form === "object") {
    void reply.header("Content-Type", JSON_TYPE);
    await reply.send(context.texts.of(target.kind, held));
  } else await reply.send(showOne(context, showing, held));
};
