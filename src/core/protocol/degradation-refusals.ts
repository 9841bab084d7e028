/** What the authority says no to because a region is cut off, or was when something was bound there (DG1 to DG7). */
import type { RefusalEntry } from "./refusals.ts";

export const DEGRADATION_REFUSALS = {
  "region-cut-off": {
    rule: "DG3",
    kind: "conflict",
    sentence: "The region is cut off, and this cannot be decided inside of it alone.",
  },
  "not-confirmed": {
    rule: "DG5",
    kind: "conflict",
    sentence: "The binding would break a rule that every bind keeps, or was not confirmed in time.",
  },
  "confirm-not-due": {
    rule: "DG6",
    kind: "conflict",
    sentence: "The binding is not provisional, its node is silent, or its time is not over.",
  },
} as const satisfies Readonly<Record<string, RefusalEntry>>;
