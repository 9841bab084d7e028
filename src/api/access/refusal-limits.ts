/** How many refused requests a plane remembers. */
import type { Limit } from "../../core/model/limits/limit.ts";

const MIB = 1024 * 1024;

export const REFUSAL_LIMITS = {
  refusalsKept: {
    value: 2_000,
    unit: "count",
    of: "callers and minutes whose refused requests a plane holds in memory",
    beyond: "the oldest entry is dropped; the audit folder and the plane's log have it",
    why: "a day of a caller that is refused all the time, and half a megabyte",
  },
  refusalsPerCaller: {
    value: 100,
    unit: "count",
    of: "entries of one caller's refused requests that a plane holds in memory",
    beyond: "that caller's oldest entry is dropped",
    why: "one caller leaves room for those of nineteen others",
  },
  refusalBytesPerCaller: {
    value: MIB,
    unit: "bytes",
    of: "refused requests of one caller in the audit folder",
    beyond: "the older half of that caller's entries is dropped; those of others stay",
    why: "three thousand minutes in which it was refused; a flood is one entry a minute",
  },
  refusalBytes: {
    value: 64 * MIB,
    unit: "bytes",
    of: "refused requests of all callers in the audit folder",
    beyond: "the older half of the caller with the most is dropped",
    why: "sixty-four callers that use their full share",
  },
  refusalsKeptMs: {
    value: 400 * 24 * 3_600_000,
    unit: "ms",
    of: "the age of refused requests in the audit folder",
    beyond: "a file whose newest entry is older is dropped when the plane starts",
    why: "as long as the audit entries of the same caller",
  },
} as const satisfies Readonly<Record<string, Limit>>;
