/** The last hour of the fleet, for the charts of the dashboard. Each plane answers from its own. */
import type { FastifyInstance } from "fastify";
import { type FleetSeries, SAMPLE_EVERY_MS } from "../../host/telemetry/fleet-series.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import type { ShownSeries } from "../views/shown-series.ts";
import { asks, PATH } from "../access/route-rule.ts";

export function addSeriesRoutes(app: FastifyInstance, series: FleetSeries): void {
  app.get("/series", asks(PATH), (): ShownSeries => ({
    since: rfc3339Millis(series.sinceMs),
    everySeconds: SAMPLE_EVERY_MS / 1_000,
    samples: series.samples.map(({ atMs, bindP50Ms, bindP95Ms, ...sample }) => ({
      time: rfc3339Millis(atMs),
      ...sample,
      bindP50Ms: bindP50Ms ?? null,
      bindP95Ms: bindP95Ms ?? null,
    })),
  }));
}
