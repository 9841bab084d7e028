/**
 * When each node was last heard of. Leases are renewed every few seconds, so that no view has them:
 * a table of nodes would change all the time.
 */
import type { FastifyInstance } from "fastify";
import { leaseKey } from "../../core/model/ids.ts";
import type { Lease } from "../../core/model/objects.ts";
import type { ApiContext } from "../http/api-context.ts";
import { jsonTexts, listPieces, sendPieces } from "../http/send-pieces.ts";
import { asks, power } from "../access/route-rule.ts";

export function addHeartbeatRoutes(app: FastifyInstance, context: ApiContext): void {
  const { plane } = context;
  app.get("/heartbeats", asks(power("list", "nodes")), async (request, reply) => {
    const { node } = request.query as { readonly node?: string };
    const one = node === undefined ? undefined : plane.objects.lease(leaseKey(node));
    const leases = node === undefined ? [...plane.objects.all("Lease").values()] : [one];
    const items = jsonTexts(
      leases.flatMap((each) => each ?? []),
      shown,
    );
    const head = `{"revision":${plane.revision},"heartbeats":[`;
    await sendPieces(context, reply, listPieces(head, items, "]}"));
  });
}

/** Milliseconds since 1970, on the clock of the leader that committed the renewal. */
const shown = ({ spec, status }: Lease): readonly [node: string, atMs: number] => [
  spec.node,
  status.renewedMs,
];
