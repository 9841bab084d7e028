/** What is wrong, as one list of sentences. The dashboard's first page reads it. */
import type { FastifyInstance } from "fastify";
import type { ApiContext } from "../http/api-context.ts";
import { subjectOf } from "../access/subject-of.ts";
import { type Caller, callerOf } from "../http/caller.ts";
import { ProblemList } from "../views/problem-list.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";

const OWN_PROBLEMS: RouteRule = { kind: "filtered", by: "the object of each problem" };

/** More callers than look at the dashboard of one plane within a second. */
const LISTS_KEPT = 200;

export function addProblemRoutes(
  app: FastifyInstance,
  { plane, clock, authorizer }: ApiContext,
): void {
  const list = new ProblemList(plane, () => clock.nowMs());
  // Callers with other roles have lists of their own: each walks over what its caller sees.
  const limited = new Map<string, ProblemList>();
  const listOf = (caller: Caller): ProblemList => {
    if (authorizer.sightOf(caller).isWhole) return list;
    const key = JSON.stringify(subjectOf(caller));
    const sight = () => authorizer.sightOf(caller);
    const own = limited.get(key) ?? new ProblemList(plane, () => clock.nowMs(), sight);
    limited.delete(key);
    limited.set(key, own);
    const [oldest] = limited.keys();
    if (limited.size > LISTS_KEPT && oldest !== undefined) limited.delete(oldest);
    return own;
  };
  app.get("/problems", asks(OWN_PROBLEMS), (request) => listOf(callerOf(request)).read());
}
