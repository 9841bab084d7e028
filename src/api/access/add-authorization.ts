/**
 * Every request is decided before its body is read and before its handler runs, by the rule of its
 * route. A route without a rule is a bug that the server must not start with.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { assert } from "../../core/model/assert.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { impersonated } from "./impersonate.ts";
import { isTrue } from "../request/is-true.ts";
import { isAnonymous, setCaller } from "../http/caller.ts";
import { askedOf, type RouteRule } from "./route-rule.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    readonly access?: RouteRule;
  }
}

export interface GuardedRoute {
  readonly method: string;
  readonly url: string;
  readonly access: RouteRule;
}

const routes = new WeakMap<FastifyInstance, GuardedRoute[]>();

/** Every route of a server, with its rule. */
export const routesOf = (app: FastifyInstance): readonly GuardedRoute[] => routes.get(app) ?? [];

type Context = Pick<ApiContext, "authorizer" | "openReads">;

export function addAuthorization(app: FastifyInstance, context: Context): void {
  const guarded: GuardedRoute[] = [];
  routes.set(app, guarded);
  app.addHook("onRoute", ({ method, url, config }) => {
    const access = config?.access;
    assert(access !== undefined, `[AZ40] ${String(method)} ${url} has no rule of access.`);
    for (const each of [method].flat()) guarded.push({ method: each, url, access });
  });
  // Without a promise, which would cost every request a turn.
  app.addHook("onRequest", (request, reply, done) => {
    const rule = request.routeOptions.config.access;
    try {
      // A path that does not exist has none: the answer to it says nothing of the plane.
      if (rule !== undefined) checkRule(context, { request, reply, rule });
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  });
}

function checkRule(
  { authorizer, openReads }: Context,
  {
    request,
    reply,
    rule,
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly rule: RouteRule;
  },
): void {
  if (rule.kind === "open") return;
  const caller = impersonated(authorizer, request);
  if (isAnonymous(caller)) {
    throw new ApiError("not-authenticated", "Send a token: Authorization: Bearer TOKEN.");
  }
  if (rule.kind === "callers" && !rule.are.includes(caller.kind)) {
    throw new ApiError("not-allowed", `${rule.why} ${caller.name} is of the kind ${caller.kind}.`);
  }
  const asked = askedOf(rule, request);
  if (asked === undefined) return;
  const { by } = authorizer.require(caller, asked);
  // The audit names it beside the credential.
  if (!READS.has(asked.verb)) setCaller(request, { ...caller, allowed: by });
  if (!lasts(request)) return;
  openReads.add(reply.raw, { isStill: () => authorizer.decide(caller, asked).isAllowed });
}

const READS: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/** Everything else is answered at once, or ends with its own few megabytes. */
const LASTING = /\/(?:log|exec|portforward)$|^\/(?:backup|audit\/verify)$/;

const lasts = ({ query, routeOptions: { url = "" } }: FastifyRequest): boolean =>
  LASTING.test(url) || isTrue((query as { readonly watch?: string }).watch);
