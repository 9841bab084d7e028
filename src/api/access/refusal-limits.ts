/** How many refused requests a plane remembers. */
import type { Limit } from "../../core/model/limits/limit.ts";

export const REFUSAL_LIMITS = {
  refusalsKept: {
    value: 2_000,
    unit: "count",
    of: "callers and minutes whose refused requests a plane remembers",
    beyond: "the oldest entry is dropped; the plane's log has it",
    why: "a day of a caller that is refused all the time, and half a megabyte",
  },
  refusalsPerCaller: {
    value: 100,
    unit: "count",
    of: "minutes with refused requests that a plane remembers of one caller",
    beyond: "that caller's oldest entry is dropped",
    why: "one caller leaves room for those of nineteen others",
  },
} as const satisfies Readonly<Record<string, Limit>>;
