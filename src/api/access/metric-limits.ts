/** How many series a caller without a right to all of them is shown. */
import type { Limit } from "../../core/model/limits/limit.ts";

export const METRIC_LIMITS = {
  tenantsInMetrics: {
    value: 100,
    unit: "count",
    of: "tenants of which `GET /metrics` has series, for a caller without a right to all of it",
    beyond: "the tenants that come first by name are shown",
    why: "a thousand series, as many as a plane has of itself",
  },
} as const satisfies Readonly<Record<string, Limit>>;
