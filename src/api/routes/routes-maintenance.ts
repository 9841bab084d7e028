/**
 * For people who look after machines: what a drain would do, and under which name the server knows
 * the caller.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { nodeKey } from "../../core/model/ids.ts";
import { planDrain, type PlannedMove } from "../../core/explain/plan-drain.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { subjectOf } from "../access/subject-of.ts";
import { callerOf } from "../http/caller.ts";
import { inTurns } from "../http/in-turns.ts";
import { shortName } from "../narrate/short-name.ts";
import { asks, power, type RouteRule } from "../access/route-rule.ts";

const SELF: RouteRule = { kind: "authenticated", why: "It tells a caller about itself." };

export function addMaintenanceRoutes(app: FastifyInstance, { plane }: ApiContext): void {
  app.get("/whoami", asks(SELF), (request) => {
    const caller = callerOf(request);
    const { kind, name, how, credentialId, credential } = caller;
    const endMs = credential?.expiresMs;
    return {
      kind,
      name,
      ...subjectOf(caller),
      ...(how === undefined ? {} : { how }),
      ...(credentialId === undefined ? {} : { credential: credentialId }),
      ...(endMs === undefined ? {} : { expires: new Date(endMs).toISOString() }),
    };
  });
  app.get("/drain-plan", asks(power("list", "replicas")), (request) => drainPlan(plane, request));
}

async function drainPlan(plane: PlanePort, request: FastifyRequest) {
  const { node = "" } = request.query as { readonly node?: string };
  if (node === "") {
    throw new ApiError("bad-request", "/drain-plan wants ?node=NAME; found none.");
  }
  if (plane.objects.node(nodeKey(node)) === undefined) {
    throw ApiError.worded("not-found", `nodes.berth.dev "${node}" not found`, {
      name: node,
      kind: "nodes",
    });
  }
  const { revision } = plane;
  const moves = (await inTurns(planDrain(plane.objects, node))).map(writeMove);
  return { node, revision, moves };
}

const writeMove = ({ replica, workload, when, to, rejected }: PlannedMove) => ({
  replica: shortName(replica),
  workload: shortName(workload),
  when,
  ...(to === undefined ? {} : { to }),
  ...(rejected === undefined ? {} : { rejected }),
});
