/** Where a replica tells how many requests it has answered, as people write it. */
import type { MetricsPage } from "../../model/run-options.ts";
import { type FieldsOf, filled, patterned } from "./field.ts";

export const METRICS: FieldsOf<Omit<MetricsPage, "port">> = {
  path: filled(
    patterned("The path of the request.", {
      most: 1024,
      pattern: "^/[!-~]*$",
      expected: "a path that begins with '/', without spaces",
    }),
    "/metrics",
  ),
  requests: filled(
    patterned("The name of the request counter; all its series are summed.", {
      most: 253,
      pattern: "^[a-zA-Z_:][a-zA-Z0-9_:]*$",
      expected: "the name of a counter, of letters, digits, '_' and ':', without labels",
    }),
    "http_requests_total",
  ),
};
export const METRICS_ABOUT =
  "Where a replica exposes its request count, in the Prometheus text format. The agent scrapes it for an autoscaler with the target requests.";
