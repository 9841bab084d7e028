/** How long a login may take. */
import type { Limit } from "../../core/model/limits/limit.ts";

export const LOGIN_LIMITS = {
  waitMs: {
    value: 300_000,
    unit: "ms",
    of: "the time in which a person logs in after `berth login`",
    beyond: "the command ends",
    why: "a password and a second factor; the local port is open meanwhile",
  },
  renewMs: {
    value: 60_000,
    unit: "ms",
    of: "what a login has left when a command renews it",
    beyond: "the next command renews it",
    why: "longer than a command's own request takes",
  },
  lockMs: {
    value: 15_000,
    unit: "ms",
    of: "the time that a command waits for another that renews the same login",
    beyond: "the command renews the login itself",
    why: "as long as three answers of the provider may take",
  },
} as const satisfies Record<string, Limit>;
