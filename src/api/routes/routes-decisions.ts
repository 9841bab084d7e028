/**
 * Why it is as it is: what each controller last concluded about one object, and what it is waiting
 * for.
 */
import type { FastifyInstance } from "fastify";
import type { ObjectKey } from "../../core/model/ids.ts";
import { readOf } from "../access/read-of.ts";
import { withoutOthers } from "../../core/access/without-others.ts";
import { callerOf } from "../http/caller.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { decisionsAbout } from "./decisions-about.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";

const OF_KEY: RouteRule = { kind: "filtered", by: "the object that ?key= names" };

export function addDecisionRoutes(
  app: FastifyInstance,
  { plane, clock, authorizer }: ApiContext,
): void {
  app.get("/decisions", asks(OF_KEY), (request) => {
    const { key = "" } = request.query as { readonly key?: string };
    if (!/^[A-Z][A-Za-z]*\/[^/]*\/[^/]+$/.test(key)) {
      throw new ApiError(
        "bad-request",
        `/decisions wants ?key=Kind/tenant/name, such as Replica/payments/risk-api.1.0; found "${key}".`,
      );
    }
    const caller = callerOf(request);
    authorizer.require(caller, readOf(key as ObjectKey));
    const sight = authorizer.sightOf(caller);
    const nowMs = clock.nowMs();
    const { decisions, waits } = decisionsAbout(key as ObjectKey, plane);
    const shown = {
      key,
      decisions,
      waits: waits.map((owed) => ({ ...owed, deadlineInMs: owed.deadlineMs - nowMs })),
    };
    return withoutOthers(shown, sight);
  });
}
