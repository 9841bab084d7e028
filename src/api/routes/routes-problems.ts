/** What is wrong, as one list of sentences. The dashboard's first page reads it. */
import type { FastifyInstance } from "fastify";
import type { ApiContext } from "../http/api-context.ts";
import { ProblemList } from "../views/problem-list.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";

const OWN_PROBLEMS: RouteRule = { kind: "filtered", by: "the object of each problem" };

export function addProblemRoutes(app: FastifyInstance, { plane, clock }: ApiContext): void {
  const list = new ProblemList(plane, () => clock.nowMs());
  app.get("/problems", asks(OWN_PROBLEMS), () => list.read());
}
