/** How much of the audit trail outlives the log it was made of. */
import type { Limit } from "../../core/model/limits/limit.ts";

const MIB = 1024 * 1024;

export const AUDIT_LIMITS = {
  auditBytesPerCaller: {
    value: 16 * MIB,
    unit: "bytes",
    of: "audit entries of one caller kept after compaction of the log",
    beyond: "the older half of that caller's entries is dropped; those of others stay",
    why: "some thirty thousand entries; a caller that floods pushes out its own entries only",
  },
  auditBytes: {
    value: 256 * MIB,
    unit: "bytes",
    of: "audit entries of all callers kept after compaction of the log",
    beyond: "the older half of the caller with the most is dropped",
    why: "sixteen callers that use their full share",
  },
  auditKeptMs: {
    value: 400 * 24 * 3_600_000,
    unit: "ms",
    of: "the age of audit entries kept after compaction of the log",
    beyond: "a file whose newest entry is older is dropped when the plane starts",
    why: "a year, and some time to read it",
  },
} as const satisfies Readonly<Record<string, Limit>>;
