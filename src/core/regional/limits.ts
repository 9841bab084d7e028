/** How often a region and the global plane speak to each other. */
import type { LimitTable } from "../model/limits/limit.ts";

export const REGION_LINK_LIMITS = {
  askEvery: {
    value: 1_000,
    unit: "ms",
    of: "the time between two questions of a region to the global plane",
    beyond: "the region waits and reports several changes at once",
    why: "a report and its answer are two commits; a person does not notice a second",
  },
  heartbeat: {
    value: 10_000,
    unit: "ms",
    of: "the time in which a region without news asks again",
    beyond: "the region asks",
    why: "people see within seconds that a region is cut off, and sixty regions at rest make six commits a second",
  },
  asksPerTerm: {
    value: 4,
    unit: "count",
    of: "questions of a region in one term, at least",
    beyond: "the region asks more often than its heartbeat",
    why: "two answers may be lost without an end of the term",
  },
  answer: {
    value: 5_000,
    unit: "ms",
    of: "the time that a region waits for an answer of the global plane",
    beyond: "the region asks again, with a full report",
    why: "a commit and two ways across an ocean take a second on a bad day",
  },
} as const satisfies LimitTable;
