/** How many operations the authority remembers, and for whom (OP3). */
import type { Limit } from "../model/limits/limit.ts";

export const OPERATION_LIMITS = {
  controllerOperations: {
    value: 65_536,
    unit: "count",
    of: "remembered operations of controllers",
    beyond: "the oldest is forgotten; its sender meets the stage rules instead",
    why: "a sender gives up after 30 s, so this covers two thousand effects a second",
  },
  callerOperations: {
    value: 65_536,
    unit: "count",
    of: "remembered operations of all users and agents",
    beyond: "the callers with the most forget their oldest; the others forget nothing",
    why: "as for controllers; one caller's flood costs that caller its own memory only",
  },
  callerOperationsAfterCut: {
    value: 61_440,
    unit: "count",
    of: "remembered operations of users and agents after the oldest were dropped",
    beyond: "each caller keeps its newest, all of them the same number at most",
    why: "a sixteenth less than the bound, so that shares are worked out once for 4,096 operations",
  },
} as const satisfies Readonly<Record<string, Limit>>;
