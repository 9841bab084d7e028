/** The paths of every kind: its collection, its objects and their subresources. */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import type { Handler } from "../http/handler.ts";
import { deleteDependent } from "../write/delete-dependent.ts";
import { deleteMany, deleteOne } from "../write/delete.ts";
import { getObject } from "../list/get-object.ts";
import { list } from "../list/list.ts";
import { patch } from "../write/patch.ts";
import { getScale, patchScale, replaceScale } from "../write/scale.ts";
import { basePath, type NamedTarget, type ServedKind, type Target } from "../list/served-kind.ts";
import { patchStatus, replaceStatus } from "../write/status-write.ts";
import { isTrue } from "../request/is-true.ts";
import { watch, type WatchQuery } from "../watch/watch.ts";
import { standingUnchanged } from "../write/standing-unchanged.ts";
import { create, replace } from "../write/write.ts";
import { asks, METHODS_ONLY, type RouteRule } from "../access/route-rule.ts";

type Handlers<T> = Readonly<Partial<Record<HTTPMethods, Handler<T>>>>;

const METHODS: readonly HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

interface Params {
  readonly namespace?: string;
  readonly name?: string;
}

export function addObjectRoutes(
  app: FastifyInstance,
  context: ApiContext,
  kinds: readonly ServedKind[],
): void {
  for (const kind of kinds) addKind(app, context, kind);
}

function addKind(app: FastifyInstance, context: ApiContext, kind: ServedKind): void {
  const { plural, isNamespaced, isWritable, subresources } = kind.api;
  const base = basePath(kind);
  const scope = isNamespaced ? `${base}/namespaces/:namespace` : base;
  const all = (): Target => ({ kind, namespace: undefined });
  const inScope = ({ namespace = "" }: Params) => ({ kind, namespace });
  const named = ({ namespace = "", name = "" }: Params): NamedTarget => ({ kind, namespace, name });
  const add = <T>(
    url: string,
    targetOf: (params: Params) => T,
    handlers: Handlers<T>,
    subresource?: string,
  ): void =>
    addPath(
      app,
      url,
      objectRule(kind, subresource),
      (method) => {
        const handle = handlers[method === "HEAD" ? "GET" : method];
        return (
          handle &&
          ((request, reply) => handle(context, targetOf(request.params as Params), request, reply))
        );
      },
      kind.instead,
    );

  if (isNamespaced) add(`${base}/${plural}`, all, { GET: listOrWatch });
  add(`${scope}/${plural}`, inScope, {
    GET: listOrWatch,
    ...(isWritable ? { POST: create, DELETE: deleteMany } : {}),
  });
  add(`${scope}/${plural}/:name`, named, {
    GET: getObject,
    ...(kind.api.owner === undefined ? {} : { DELETE: deleteDependent }),
    ...(isWritable
      ? {
          PUT: standingUnchanged(replace),
          PATCH: standingUnchanged(patch),
          DELETE: standingUnchanged(deleteOne),
        }
      : {}),
  });
  // Of what only the control plane writes, it alone writes the status, too.
  if (subresources.includes("status")) {
    add(
      `${scope}/${plural}/:name/status`,
      named,
      {
        GET: getObject,
        ...(isWritable ? { PUT: replaceStatus, PATCH: patchStatus } : {}),
      },
      "status",
    );
  }
  if (subresources.includes("scale")) {
    add(
      `${scope}/${plural}/:name/scale`,
      named,
      {
        GET: getScale,
        PUT: replaceScale,
        PATCH: patchScale,
      },
      "scale",
    );
  }
}

/** The resource of a kind, as roles name it. */
export const objectRule = ({ group, api }: ServedKind, subresource?: string): RouteRule => ({
  kind: "objects",
  group,
  resource: api.plural,
  ...(subresource === undefined ? {} : { subresource }),
});

const listOrWatch: Handler<Target> = (context, target, request, reply) => {
  const { watch: isWatch } = request.query as WatchQuery;
  // A HEAD has no body, so a stream would last without a reader.
  const isStream = isTrue(isWatch) && request.method !== "HEAD";
  return (isStream ? watch : list)(context, target, request, reply);
};

/**
 * Every method of a path that exists is answered: by its handler, or by what is allowed instead.
 * OPTIONS asks just that.
 */
export function addPath(
  app: FastifyInstance,
  url: string,
  access: RouteRule,
  handlerFor: (
    method: HTTPMethods,
  ) => ((request: FastifyRequest, reply: FastifyReply) => Promise<void>) | undefined,
  instead = "",
): void {
  const allowed = METHODS.filter((method) => handlerFor(method) !== undefined);
  app.route({
    method: "OPTIONS",
    url,
    ...asks(METHODS_ONLY),
    handler: async (_, reply) =>
      reply
        .code(204)
        .header("Allow", [...allowed, "OPTIONS"].join(", "))
        .send(),
  });
  for (const method of METHODS) {
    const own = handlerFor(method);
    const handler =
      own ??
      ((_: FastifyRequest, reply: FastifyReply): Promise<void> => {
        void reply.header("Allow", allowed.join(", "));
        return Promise.reject(
          new ApiError(
            "wrong-method",
            `${method} is not possible here; ${allowed.join(", ")} is. ${instead}`.trimEnd(),
          ),
        );
      });
    app.route({ method, url, ...asks(own === undefined ? METHODS_ONLY : access), handler });
  }
}
