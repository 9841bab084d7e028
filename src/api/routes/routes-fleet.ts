/**
 * All objects of the plane as of one revision, in the core's form: what a simulation begins with.
 * It has the environments of all workloads, so it is for people only, like a backup.
 */
import type { FastifyInstance } from "fastify";
import { KINDS } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { countText } from "../../core/model/text/count-text.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { fleetLines } from "../../fleet/fleet-file.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { callerOf } from "../http/caller.ts";
import { sendPieces } from "../http/send-pieces.ts";
import { asks, power } from "../access/route-rule.ts";

export function addFleetRoutes(app: FastifyInstance, context: ApiContext): void {
  const { plane, clock } = context;
  app.get("/fleet", asks(power("preview", "fleets")), async (request, reply) => {
    const { kind, name } = callerOf(request);
    if (kind !== "user" && kind !== "local") {
      throw new ApiError(
        "not-allowed",
        `Only users may read the fleet; ${name} is of the kind ${kind}.`,
      );
    }
    // Objects never change, only the index does: this list stays what it is while it is sent.
    const objects = objectsOf(plane.objects);
    const { revision } = plane;
    const source = sourceOf(plane.objects, revision);
    const lines = fleetLines({ source, objects, revision, atMs: clock.nowMs() });
    reply.header("Cache-Control", "no-store");
    await sendPieces(context, reply, lines);
  });
}

const objectsOf = (objects: ObjectIndex): readonly AnyObject[] =>
  KINDS.flatMap((kind): readonly AnyObject[] => [...objects.all(kind).values()]);

function sourceOf(objects: ObjectIndex, revision: number): string {
  const nodes = countText(objects.all("Node").size, "node");
  const replicas = countText(objects.all("Replica").size, "replica");
  return `${nodes} and ${replicas} of a plane at revision ${revision}`;
}
