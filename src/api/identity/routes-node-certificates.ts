/**
 * `POST /node-certificates`: what a bootstrap token buys, and what an agent asks for again with its
 * certificate before that ends. Only the leader signs, one request after the other, so that the
 * uses of a token are counted in one place.
 */
import type { FastifyInstance } from "fastify";
import { nodeKey } from "../../core/model/ids.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { CERTIFICATES_PATH, checkNotRevoked } from "../http/authenticate.ts";
import { callerOf } from "../http/caller.ts";
import { decodeObject, OF_COMMANDS } from "../http/decode-body.ts";
import type { NodeSigner, Signed, SignedNode } from "./node-signer.ts";
import { PlaneJoins } from "./plane-joins.ts";
import { SIGNER_LIMITS } from "./signer-limits.ts";

const OF_AGENTS: RouteRule = {
  kind: "callers",
  are: ["agent"],
  why: "Only an agent asks for the certificate of its node.",
};

export function addNodeCertificateRoutes(
  app: FastifyInstance,
  { plane }: ApiContext,
  signer: NodeSigner | undefined,
): void {
  const turns = new Turns();
  const joins = new PlaneJoins(plane);
  app.addHook("preHandler", (request, _, done) => {
    const isCertificate = request.routeOptions.url === CERTIFICATES_PATH;
    if (!isCertificate) joins.checkNotUsedUp(callerOf(request));
    done();
  });
  app.post(CERTIFICATES_PATH, asks(OF_AGENTS), (request): Promise<Signed> => {
    const { value } = decodeObject(request, ["application/json"], OF_COMMANDS);
    const { node: name, request: pem } = value;
    if (typeof name !== "string" || typeof pem !== "string") {
      throw new ApiError("bad-request", "Expected the texts `node` and `request`.");
    }
    if (pem.length > SIGNER_LIMITS.requestBytes.value) {
      const { value: most } = SIGNER_LIMITS.requestBytes;
      throw new ApiError("bad-request", `request: more than ${most} bytes.`);
    }
    if (signer === undefined) {
      throw new ApiError("not-allowed", "This plane accepts no tokens and signs no certificates.");
    }
    return turns.next(() => {
      checkNotRevoked(request);
      return signer.sign(joins, callerOf(request), nodeOf(plane, name), pem);
    });
  });
}

function nodeOf({ objects }: PlanePort, name: string): SignedNode {
  const node = objects.get(nodeKey(name));
  if (node?.kind !== "Node" || node.meta.deletingMs !== undefined) {
    const message = `There is no node ${name.slice(0, 100)}: register it first.`;
    throw new ApiError("not-found", message);
  }
  return { name, uid: node.meta.uid, pool: node.spec.pool };
}

/** One after the other, and so many at most. */
class Turns {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  async next<T>(take: () => Promise<T>): Promise<T> {
    if (this.waiting >= SIGNER_LIMITS.waiting.value) {
      const message = "Too many agents ask for certificates at once.";
      throw new ApiError("too-many-requests", message, { retryAfterSeconds: 1 });
    }
    this.waiting += 1;
    const turn = this.last.then(take).finally(() => (this.waiting -= 1));
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
