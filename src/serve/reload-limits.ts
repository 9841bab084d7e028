/** How soon a change of tokens or certificates counts. */
import type { Limit } from "../core/model/limits/limit.ts";

export const RELOAD_LIMITS = {
  lookEveryMs: {
    value: 500,
    unit: "ms",
    of: "the time between two checks of the files of tokens and certificates; a change takes effect after two",
    beyond: "the next check",
    why: "a revoked token is out within a second, for two system calls a file",
  },
} as const satisfies Record<string, Limit>;
