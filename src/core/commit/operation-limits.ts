/** How many operations the authority remembers, and for whom (OP3). */
import type { Limit } from "../model/limits/limit.ts";

export const OPERATION_LIMITS = {
  controllerOperations: {
    value: 65_536,
    unit: "count",
    of: "operations of controllers that are remembered",
    beyond: "the oldest is forgotten; its sender meets the stage rules instead",
    why: "a sender gives up after 30 s, so this covers two thousand effects a second",
  },
  callerOperations: {
    value: 65_536,
    unit: "count",
    of: "operations of users and agents that are remembered, all of them together",
    beyond: "the callers with the most forget their oldest; the others forget nothing",
    why: "as for controllers; one caller's flood costs that caller its own memory only",
  },
  callerOperationsAfterCut: {
    value: 61_440,
    unit: "count",
    of: "operations of users and agents that stay when there were too many",
    beyond: "each caller keeps its newest, all of them the same number at most",
    why: "a sixteenth less than the bound, so that shares are worked out once for 4,096 operations",
  },
} as const satisfies Readonly<Record<string, Limit>>;
