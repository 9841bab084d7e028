/**
 * `POST /commands/identities` gives the agent of the bound node a token for one process that it
 * runs; no read of any object has one. `/.well-known/openid-configuration` and `/openid/v1/jwks`
 * let others check tokens.
 */
import type { FastifyInstance } from "fastify";
import type { ObjectKey } from "../../core/model/ids.ts";
import { holdsNode } from "../../core/model/stage.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { AGENT_ANSWERS, asks } from "../access/route-rule.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { isLoopback } from "../http/authenticate.ts";
import { callerOf } from "../http/caller.ts";
import { decodeObject, OF_COMMANDS } from "../http/decode-body.ts";
import type { Runs, WorkloadIdentities } from "./workload-identities.ts";

export const DISCOVERY_PATH = "/.well-known/openid-configuration";
export const KEYS_PATH = "/openid/v1/jwks";

const OPEN = asks({ kind: "open", why: "Others check tokens of replicas by it; keys are public." });

/** Whether that process holds its node now, as far as the log says. */
export const runsIn =
  ({ objects }: PlanePort): Runs =>
  ({ replica: key, uid, incarnation, node }) => {
    const replica = objects.replica(key);
    if (replica === undefined || replica.meta.uid !== uid) return false;
    const { status } = replica;
    const isSame = status.incarnation === incarnation && status.node === node;
    return isSame && holdsNode(status.stage);
  };

export function addWorkloadIdentityRoutes(
  app: FastifyInstance,
  { plane }: ApiContext,
  identities: WorkloadIdentities | undefined,
): void {
  if (identities === undefined) return;
  const { issuer, key } = identities;
  app.get(DISCOVERY_PATH, OPEN, () => ({
    issuer,
    jwks_uri: `${issuer}${KEYS_PATH}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
  }));
  app.get(KEYS_PATH, OPEN, () => ({ keys: [key.shown] }));
  const runs = runsIn(plane);
  app.post("/commands/identities", asks(AGENT_ANSWERS), async (request, reply) => {
    if (request.protocol !== "https" && !isLoopback(request.ip)) {
      throw new ApiError("not-allowed", "Tokens are given over TLS only: serve the API with TLS.");
    }
    const { value } = decodeObject(request, ["application/json"], OF_COMMANDS);
    const { replica: name, uid, incarnation, node } = value;
    const caller = callerOf(request);
    if (caller.kind !== "agent" || caller.name !== node) {
      const message = "Only the agent of the node to which a replica is bound gets its token.";
      throw new ApiError("not-allowed", message);
    }
    const of = { replica: name as ObjectKey, uid: uid as string, node };
    const replica = plane.objects.replica(of.replica);
    if (replica === undefined || !runs({ ...of, incarnation: incarnation as number })) {
      const message = "This process does not hold the node: it has ended, or is bound elsewhere.";
      throw new ApiError("not-allowed", message);
    }
    // No proxy and no cache on the way may keep it.
    void reply.header("Cache-Control", "no-store");
    return identities.sign(replica);
  });
}
