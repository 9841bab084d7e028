/** What recoveries may be granted out of, and who has how much of it. */
import type { FastifyInstance } from "fastify";
import { reserveShown } from "../kinds/status/reserve-shown.ts";
import type { ApiContext } from "../http/api-context.ts";
import { asks, PATH } from "../access/route-rule.ts";

export function addReserveRoutes(app: FastifyInstance, { plane }: ApiContext): void {
  app.get("/recovery-reserve", asks(PATH), () => ({
    revision: plane.revision,
    ...reserveShown(plane.objects),
  }));
}
