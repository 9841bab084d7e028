/**
 * Who wrote what, and when: the log as an audit trail, in pages backwards or as a stream of what is
 * new.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { KINDS, keyOf, type ObjectKey, type Revision } from "../../core/model/ids.ts";
import { ACTOR_KINDS } from "../audit/audit-entry.ts";
import { type AuditFilter, readAudit } from "../audit/read-audit.ts";
import type { KeptAudit } from "../audit/keep-audit.ts";
import { ApiError } from "../errors.ts";
import type { Sight } from "../access/sight.ts";
import { callerOf } from "../http/caller.ts";
import { echoed } from "../http/echoed.ts";
import type { ApiContext } from "../http/api-context.ts";
import { watchAudit } from "../watch/audit-watch.ts";
import { isTrue } from "../request/is-true.ts";
import { parseTimeout } from "../watch/watch.ts";
import { asks, PATH, type RouteRule } from "../access/route-rule.ts";

const OWN_ENTRIES: RouteRule = { kind: "filtered", by: "the objects that an entry names" };

interface AuditQuery {
  readonly before?: string;
  readonly limit?: string;
  readonly actor?: string;
  readonly kind?: string;
  readonly key?: string;
  readonly command?: string;
  readonly tenant?: string;
  readonly watch?: string;
  readonly after?: string;
  readonly timeoutSeconds?: string;
}

/** A screen or two; more is asked for. */
const BY_DEFAULT = 100;
/** At about half a kilobyte an entry, half a megabyte at once. */
const MOST = 1_000;

export function addAuditRoutes(
  app: FastifyInstance,
  context: ApiContext,
  kept: KeptAudit | undefined,
): void {
  app.get("/audit", asks(OWN_ENTRIES), (request, reply) => answer(context, kept, request, reply));
  app.get("/audit/refusals", asks(PATH), (request) => answerRefusals(context, request));
  app.get("/audit/refusals/verify", asks(PATH), async () => {
    const verified = await context.refusals.verify();
    return (
      verified ?? { says: "This plane keeps its log in memory, and refused requests as well." }
    );
  });
  app.addHook("onClose", async () => {
    await context.refusals.close();
    await context.uses.close();
    await kept?.close();
  });
}

async function answer(
  context: ApiContext,
  kept: KeptAudit | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { plane, limits } = context;
  const query = request.query as AuditQuery;
  const filter = filterOf(query, context.authorizer.sightOf(callerOf(request)));
  if (isTrue(query.watch)) {
    const after = wholeNumber("after", query.after, { least: 0, most: plane.revision });
    const timeoutMs = parseTimeout(query.timeoutSeconds, limits.watchTimeoutMs);
    watchAudit(context, { reply, filter, after, timeoutMs });
    return;
  }
  const limit = wholeNumber("limit", query.limit, { least: 1, most: MOST }) ?? BY_DEFAULT;
  const any = Number.MAX_SAFE_INTEGER;
  const before = wholeNumber("before", query.before, { least: 1, most: any });
  const archive = await kept?.archive;
  const { past, revision } = plane;
  const asked = { before: before ?? revision + 1, limit, filter };
  await reply.send(await readAudit({ past, revision, archive }, asked));
}

interface RefusalsQuery {
  readonly user?: string;
  readonly limit?: string;
  readonly before?: string;
}

/** Those that the asked plane itself has refused. */
async function answerRefusals({ refusals, plane }: ApiContext, request: FastifyRequest) {
  const { user, before, ...query } = request.query as RefusalsQuery;
  const limit = wholeNumber("limit", query.limit, { least: 1, most: MOST }) ?? BY_DEFAULT;
  if ((before ?? "") !== "" && Number.isNaN(Date.parse(before ?? ""))) {
    throw new ApiError("bad-request", `before is "${echoed(before ?? "")}"; it is a time in UTC.`);
  }
  const { entries, ...rest } = await refusals.newest({
    limit,
    ...((user ?? "") === "" ? {} : { user }),
    ...((before ?? "") === "" ? {} : { before }),
  });
  return { revision: plane.revision, refusals: entries, ...rest };
}

function filterOf({ actor, kind, key, command, tenant }: AuditQuery, sight: Sight): AuditFilter {
  const known = ACTOR_KINDS.find((each) => each === kind);
  if ((kind ?? "") !== "" && known === undefined) {
    throw new ApiError("bad-request", `kind is "${kind}"; there are ${ACTOR_KINDS.join(", ")}.`);
  }
  return {
    sight,
    ...(actor === undefined || actor === "" ? {} : { actor }),
    ...(command === undefined || command === "" ? {} : { command }),
    ...(tenant === undefined || tenant === "" ? {} : { tenant }),
    ...(known === undefined ? {} : { kind: known }),
    ...(key === undefined || key === "" ? {} : { key: readKey(key) }),
  };
}

/**
 * `workload/shop/api` or `node/n1`, as commands and entries name them; `Node//n1` is understood,
 * too.
 */
function readKey(text: string): ObjectKey {
  const [word = "", ...rest] = text.split("/");
  const kind = KINDS.find((each) => each.toLowerCase() === word.toLowerCase());
  const [namespace = "", name = ""] = rest.length === 1 ? ["", rest[0]] : rest;
  if (kind !== undefined && name !== "" && rest.length <= 2) {
    return keyOf({ kind, namespace, name });
  }
  throw new ApiError(
    "bad-request",
    `key is "${text}"; it is KIND/TENANT/NAME or KIND/NAME, such as workload/shop/api or node/n1.`,
  );
}

function wholeNumber(
  name: string,
  text: string | undefined,
  { least, most }: { readonly least: number; readonly most: number },
): Revision | undefined {
  if (text === undefined || text === "") return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  const bound = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  throw new ApiError("bad-request", `${name} is "${text}"; it is a whole number, ${bound}.`);
}
