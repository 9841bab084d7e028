/** What recoveries may be granted out of, and who has how much of it. */
import type { FastifyInstance } from "fastify";
import { reserveShown } from "../kinds/status/reserve-shown.ts";
import type { ApiContext } from "../http/api-context.ts";

export function addReserveRoutes(app: FastifyInstance, { plane }: ApiContext): void {
  app.get("/recovery-reserve", () => ({
    revision: plane.revision,
    ...reserveShown(plane.objects),
  }));
}
