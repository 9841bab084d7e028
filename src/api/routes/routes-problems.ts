/** What is wrong, as one list of sentences. The dashboard's first page reads it. */
import type { FastifyInstance } from "fastify";
import type { ApiContext } from "../http/api-context.ts";
import { problemsOf } from "../views/problems.ts";

export function addProblemRoutes(app: FastifyInstance, { plane, clock }: ApiContext): void {
  app.get("/problems", () => ({
    revision: plane.revision,
    ...problemsOf(plane, clock.nowMs()),
  }));
}
