/** Names that a person types into the search box of the dashboard. */
import type { FastifyInstance } from "fastify";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { callerOf } from "../http/caller.ts";
import { searchObjects } from "../views/search.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";

const OWN_NAMES: RouteRule = { kind: "filtered", by: "each object that is found" };

/** A tenant and a name at their longest, with room to spare. */
const LONGEST = 256;

export function addSearchRoutes(app: FastifyInstance, { plane, authorizer }: ApiContext): void {
  app.get("/search", asks(OWN_NAMES), (request) => {
    const { q = "" } = request.query as { readonly q?: string };
    if (q.length > LONGEST) {
      throw new ApiError("bad-request", `q is a text of at most ${LONGEST} characters.`);
    }
    return {
      revision: plane.revision,
      ...searchObjects(plane.objects, q, authorizer.sightOf(callerOf(request))),
    };
  });
}
