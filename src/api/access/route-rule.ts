/**
 * What a route asks of roles before its handler runs, as data beside the route. A server refuses to
 * add a route without one (AZ40), so that a new path cannot be reached around the roles.
 */
import type { FastifyRequest } from "fastify";
import type { AccessRequest, Verb } from "../../core/model/access.ts";
import { GROUP } from "../group-version.ts";
import type { Caller } from "../http/caller.ts";
import { isTrue } from "../request/is-true.ts";

export type RouteRule =
  /** Also without a credential. */
  | { readonly kind: "open"; readonly why: string }
  /** To every caller with a credential, whatever its roles. */
  | { readonly kind: "authenticated"; readonly why: string }
  /** The same, and the handler leaves out of the answer what roles do not let the caller see. */
  | { readonly kind: "filtered"; readonly by: string }
  /** To these kinds of credential; what each may say there is checked by the handler. */
  | { readonly kind: "callers"; readonly are: readonly Caller["kind"][]; readonly why: string }
  /**
   * Objects that the path names by `:namespace` and `:name`. The verb follows from the method
   * unless it is given.
   */
  | ({ readonly kind: "objects" } & ObjectRule)
  /** The path itself: `nonResourceURLs` of roles name it. */
  | { readonly kind: "path" }
  /** What the query names. */
  | {
      readonly kind: "query";
      readonly asks: string;
      readonly ask: (request: FastifyRequest) => AccessRequest;
    };

export interface ObjectRule {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly verb?: Verb;
}

/** For `app.get(url, asks(rule), handler)`. */
export const asks = (access: RouteRule): { readonly config: { readonly access: RouteRule } } => ({
  config: { access },
});

export const PATH: RouteRule = { kind: "path" };

export const DISCOVERY: RouteRule = {
  kind: "authenticated",
  why: "It tells what the server has, and nothing of any object.",
};

/** Of a method that a path does not have, and of OPTIONS. */
export const METHODS_ONLY: RouteRule = {
  kind: "authenticated",
  why: "It tells which methods the path has.",
};

/** What an agent was asked for; whose it is, the handler checks. */
export const AGENT_ANSWERS: RouteRule = {
  kind: "callers",
  are: ["agent", "local"],
  why: "Only the agent of the node may answer here.",
};

/** A power over all of Berth's objects of one resource. */
export const power = (verb: Verb, resource: string): RouteRule => ({
  kind: "objects",
  group: GROUP,
  resource,
  verb,
});

/** What a request asks of roles; undefined: nothing that roles decide. */
export function askedOf(rule: RouteRule, request: FastifyRequest): AccessRequest | undefined {
  switch (rule.kind) {
    case "open":
    case "authenticated":
    case "filtered":
    case "callers":
      return undefined;
    case "path":
      // A path is one thing, as an object that has a name.
      return { verb: verbOf(request, true), path: request.url.split("?")[0] ?? "" };
    case "query":
      return rule.ask(request);
    case "objects":
      return objectsAsked(rule, request);
  }
}

interface Params {
  readonly namespace?: string;
  readonly name?: string;
}

function objectsAsked(rule: ObjectRule, request: FastifyRequest): AccessRequest {
  const { group, resource, subresource } = rule;
  const { namespace, name } = request.params as Params;
  return {
    verb: rule.verb ?? verbOf(request, name !== undefined),
    group,
    resource,
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

function verbOf({ method, query }: FastifyRequest, isNamed: boolean): Verb {
  switch (method) {
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return isNamed ? "delete" : "deletecollection";
    default:
      if (isNamed) return "get";
      return isTrue((query as { readonly watch?: string }).watch) ? "watch" : "list";
  }
}
