/** How often the plane's log tells who pushes samples (ID9). */
import type { Limit } from "../../core/model/limits/limit.ts";

export const PUSHER_LIMITS = {
  toldWindowMs: {
    value: 600_000,
    unit: "ms",
    of: "the time in which the log reports a caller once for each object and metric that it pushes samples of",
    beyond: "it is reported again",
    why: "some push every second; ten minutes are short for an autoscaler",
  },
  toldPerCaller: {
    value: 1_000,
    unit: "count",
    of: "objects and metrics of one caller that are reported one by one in that time",
    beyond: "one line reports that there are more; other callers have lines of their own",
    why: "more than one program scales, and a hundred kilobytes of log",
  },
} as const satisfies Readonly<Record<string, Limit>>;
