/**
 * Every request is decided before its body is read and before its handler runs, by the rule of its
 * route. A route without a rule is a bug that the server must not start with.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { assert } from "../../core/model/assert.ts";
import type { AccessDecision } from "../../core/model/access.ts";
import { ApiError } from "../errors.ts";
import { callerOf, isAnonymous } from "../http/caller.ts";
import type { Authorizer } from "./authorizer.ts";
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

export function addAuthorization(app: FastifyInstance, authorizer: Authorizer): void {
  const guarded: GuardedRoute[] = [];
  routes.set(app, guarded);
  app.addHook("onRoute", ({ method, url, config }) => {
    const access = config?.access;
    assert(access !== undefined, `[AZ40] ${String(method)} ${url} has no rule of access.`);
    for (const each of [method].flat()) guarded.push({ method: each, url, access });
  });
  app.addHook("onRequest", async (request) => {
    const rule = request.routeOptions.config.access;
    // A path that does not exist has none: the answer to it says nothing of the plane.
    if (rule !== undefined) checkRule(authorizer, request, rule);
  });
}

function checkRule(authorizer: Authorizer, request: FastifyRequest, rule: RouteRule): void {
  const caller = callerOf(request);
  if (rule.kind === "open") return;
  if (isAnonymous(caller)) {
    throw new ApiError("not-authenticated", "Send a token: Authorization: Bearer TOKEN.");
  }
  if (rule.kind === "callers" && !rule.are.includes(caller.kind)) {
    throw new ApiError("not-allowed", `${rule.why} ${caller.name} is of the kind ${caller.kind}.`);
  }
  const asked = askedOf(rule, request);
  if (asked !== undefined) decisions.set(request, authorizer.require(caller, asked));
}

const decisions = new WeakMap<FastifyRequest, AccessDecision>();

/** Which binding allowed the request, if roles were asked. */
export const decisionOf = (request: FastifyRequest): AccessDecision | undefined =>
  decisions.get(request);
