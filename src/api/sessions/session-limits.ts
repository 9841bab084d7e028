/** The bounds on sessions with replicas; `docs/limits.md` is generated from it. */
import type { Limit } from "../../core/model/limits/limit.ts";

export const SESSION_LIMITS = {
  sessions: {
    value: 256,
    unit: "count",
    of: "sessions (exec and port-forward) of a plane",
    beyond: "the session is rejected with 429",
    why: "each holds two sockets and some hundred KiB",
  },
  sessionsPerCaller: {
    value: 64,
    unit: "count",
    of: "sessions of one caller",
    beyond: "the session is rejected with 429",
    why: "a page that is loaded through port-forward opens a dozen connections",
  },
  sessionsPerTenant: {
    value: 64,
    unit: "count",
    of: "sessions with replicas of one tenant",
    beyond: "the session is rejected with 429",
    why: "a quarter of all; a tenant leaves places to others",
  },
  sessionsPerNode: {
    value: 32,
    unit: "count",
    of: "sessions with replicas of one node",
    beyond: "the session is rejected with 429",
    why: "each may be a process; replicas come first",
  },
  sessionFirstMs: {
    value: 10_000,
    unit: "ms",
    of: "an agent's response to a session",
    beyond: "the session is rejected with 504",
    why: "as for logs: a healthy agent answers in milliseconds",
  },
  sessionIdleMs: {
    value: 900_000,
    unit: "ms",
    of: "a session in which no side sends anything",
    beyond: "the session ends, and its process is killed",
    why: "a forgotten terminal gives its place back",
  },
  sessionMs: {
    value: 14_400_000,
    unit: "ms",
    of: "a whole session",
    beyond: "the session ends, and its process is killed",
    why: "longer than a person looks into a problem; nothing may depend on a session",
  },
  commandBytes: {
    value: 32_768,
    unit: "bytes",
    of: "the command of an exec, all its words",
    beyond: "the session is rejected with 400",
    why: "the agent gets it in one line, and the audit trail keeps its beginning",
  },
} as const satisfies Readonly<Record<string, Limit>>;

export type SessionLimits = Readonly<Record<keyof typeof SESSION_LIMITS, number>>;
