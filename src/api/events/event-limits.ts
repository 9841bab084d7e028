/** What clients' own events may hold of the server. */
import { type Limit, limitValues } from "../../core/model/limits/limit.ts";

export const EVENT_LIMITS = {
  writtenPerTenant: {
    value: 500,
    unit: "count",
    of: "events of one namespace that clients wrote",
    beyond: "the one that changed longest ago goes",
    why: "a twentieth of all events that a plane keeps: one tenant does not push out the others'",
  },
  writtenMs: {
    value: 3_600_000,
    unit: "ms",
    of: "the time for which an event that a client wrote is kept after its last change",
    beyond: "it goes",
    why: "as in Kubernetes",
  },
  writtenText: {
    value: 1_024,
    unit: "count",
    of: "characters of one text in an event that a client writes",
    beyond: "422 `invalid-object`",
    why: "as in Kubernetes; an event stays below a few kilobytes",
  },
} as const satisfies Readonly<Record<string, Limit>>;

export const EVENT_BOUNDS = limitValues(EVENT_LIMITS);
