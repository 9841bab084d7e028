/** Bounds on the tokens by which replicas say who they are. */
import type { Limit } from "../../core/model/limits/limit.ts";

export const WORKLOAD_LIMITS = {
  lifeMs: {
    value: 600_000,
    unit: "ms",
    of: "the life of a workload identity token",
    beyond: "401 at the plane, and a refusal wherever its `exp` is checked",
    why: "others cannot ask whether its replica still runs; the agent renews it after half",
  },
  kept: {
    value: 10_000,
    unit: "count",
    of: "verified workload identity tokens that a plane remembers",
    beyond: "the plane verifies the oldest idle one again",
    why: "a signature takes 0.1 ms to verify, and a client sends each token many times",
  },
} as const satisfies Record<string, Limit>;
