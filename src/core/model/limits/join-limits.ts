/** Bounds on what a plane remembers of bootstrap tokens. */
import type { Limit } from "./limit.ts";

export const JOIN_LIMITS = {
  joinsKeptMs: {
    value: 172_800_000,
    unit: "ms",
    of: "the time for which the log remembers who used a bootstrap token",
    beyond: "the entry is dropped; its token has ended long before",
    why: "twice the longest life of a bootstrap token",
  },
  joinsDropped: {
    value: 64,
    unit: "count",
    of: "tokens that the use of another forgets at once, because they ended",
    beyond: "the next use forgets the rest",
    why: "more than one, so that their number falls, and few enough for one commit",
  },
} as const satisfies Readonly<Record<string, Limit>>;
