/** Questions about access: who the caller is, what it may do, and which subjects may do it. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ResourceRequest, Subject, Verb } from "../../core/model/access.ts";
import { bindingName } from "../../core/rules/access/access-rules.ts";
import {
  askedIn,
  AUTHENTICATION_GROUP,
  AUTHORIZATION_GROUP,
  reviewStatus,
  rulesStatus,
  subjectIn,
} from "./access-review.ts";
import { asks, PATH, type RouteRule } from "./route-rule.ts";
import { subjectOf } from "./subject-of.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { callerOf } from "../http/caller.ts";
import { decodeObject } from "../http/decode-body.ts";
import { echoed } from "../http/echoed.ts";
import { fieldOf, type JsonObject } from "../http/json-value.ts";
import { rfc3339 } from "../rfc3339.ts";
import { KUBERNETES_TYPES } from "../write/write.ts";

/** More subjects than an answer shows do not help to find the one that should not be there. */
const ALLOWED_SHOWN = 1_000;

const DAY = /^\d{4}-\d\d-\d\d$/;

interface Review {
  readonly group: string;
  readonly kind: string;
  readonly resource: string;
  readonly isLocal?: true;
  readonly answer: (spec: unknown, request: FastifyRequest) => object;
}

export function addAccessRoutes(app: FastifyInstance, { access, uses }: ApiContext): void {
  const about = (spec: unknown, within?: string) =>
    reviewStatus(access.decide(subjectIn(spec), askedIn(spec, within)));
  const reviews: readonly Review[] = [
    {
      group: AUTHORIZATION_GROUP,
      kind: "SelfSubjectAccessReview",
      resource: "selfsubjectaccessreviews",
      answer: (spec, request) => reviewStatus(access.decide(selfOf(request), askedIn(spec))),
    },
    {
      group: AUTHORIZATION_GROUP,
      kind: "SubjectAccessReview",
      resource: "subjectaccessreviews",
      answer: (spec) => about(spec),
    },
    {
      group: AUTHORIZATION_GROUP,
      kind: "LocalSubjectAccessReview",
      resource: "localsubjectaccessreviews",
      isLocal: true,
      answer: (spec, { params }) =>
        about(spec, (params as { readonly namespace: string }).namespace),
    },
    {
      group: AUTHORIZATION_GROUP,
      kind: "SelfSubjectRulesReview",
      resource: "selfsubjectrulesreviews",
      answer: (spec, request) => {
        const namespace = fieldOf(spec, "namespace");
        const of = typeof namespace === "string" && namespace !== "" ? namespace : undefined;
        return rulesStatus(access.rulesOf(selfOf(request), of));
      },
    },
    {
      group: AUTHENTICATION_GROUP,
      kind: "SelfSubjectReview",
      resource: "selfsubjectreviews",
      answer: (_, request) => {
        const { user, groups } = selfOf(request);
        return { userInfo: { username: user, groups } };
      },
    },
  ];
  for (const review of reviews) addReview(app, review);
  app.get("/who-can", asks(PATH), (request) => whoCan(access, request));
  app.get("/access/uses", asks(PATH), (request) => usesSince(uses, request));
}

function addReview(app: FastifyInstance, { group, kind, resource, isLocal, answer }: Review): void {
  const base = `/apis/${group}/v1`;
  const url =
    isLocal === true ? `${base}/namespaces/:namespace/${resource}` : `${base}/${resource}`;
  const rule: RouteRule = { kind: "objects", group, resource };
  app.post(url, asks(rule), async (request, reply) => {
    const { value } = decodeObject(request, KUBERNETES_TYPES);
    const found = fieldOf(value, "kind") ?? kind;
    if (found !== kind) {
      throw new ApiError(
        "bad-request",
        `The object's kind is not "${kind}", which this path expects.`,
      );
    }
    const spec = (value["spec"] ?? {}) as JsonObject;
    const status = answer(spec, request);
    const apiVersion = `${group}/v1`;
    await reply.code(201).send({ kind, apiVersion, metadata: {}, spec, status });
  });
}

/** With `kubectl --as`, the user that is asked about. */
const selfOf = (request: FastifyRequest): Subject => subjectOf(callerOf(request));

async function usesSince(uses: ApiContext["uses"], { query }: FastifyRequest): Promise<object> {
  const { since = "" } = query as { readonly since?: string };
  if (!DAY.test(since)) {
    throw new ApiError("bad-request", `since is "${echoed(since)}"; it is a day: 2026-01-31.`);
  }
  return { uses: await uses.since(since) };
}

interface WhoQuery {
  readonly verb?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Which subjects may do something, each with the binding that lets it. */
function whoCan(access: ApiContext["access"], request: FastifyRequest): object {
  const { verb = "", group = "", resource = "", ...rest } = request.query as WhoQuery;
  if (verb === "" || resource === "") {
    throw new ApiError("bad-request", "/who-can wants ?verb=VERB&resource=PLURAL&group=GROUP.");
  }
  const some = Object.entries(rest).filter(([, value]) => value !== "");
  const asked: ResourceRequest = {
    verb: verb as Verb,
    group,
    resource,
    ...Object.fromEntries(some),
  };
  if (Object.values(asked).some((value) => typeof value !== "string")) {
    throw new ApiError("bad-request", `/who-can has a field twice: ${echoed(request.url)}.`);
  }
  const allowed = access.allowing(asked).flatMap(({ binding }) =>
    binding.subjects.map((subject) => ({
      subject,
      by: bindingName(binding),
      role: binding.roleRef,
      ...(binding.expiresMs === undefined ? {} : { until: rfc3339(binding.expiresMs) }),
    })),
  );
  return {
    allowed: allowed.slice(0, ALLOWED_SHOWN),
    more: Math.max(0, allowed.length - ALLOWED_SHOWN),
  };
}
