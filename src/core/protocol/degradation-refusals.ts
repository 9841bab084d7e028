/**
 * What the authority says no to because a region is partitioned, or was when something was bound
 * there (DG1 to DG7).
 */
import type { RefusalEntry } from "./refusals.ts";

export const DEGRADATION_REFUSALS = {
  "region-partitioned": {
    rule: "DG3",
    kind: "conflict",
    sentence: "The region is partitioned, and it cannot make this decision alone.",
  },
  "not-confirmed": {
    rule: "DG5",
    kind: "conflict",
    sentence: "The provisional binding breaks a bind rule, or was not confirmed in time.",
  },
  "confirm-not-due": {
    rule: "DG6",
    kind: "conflict",
    sentence: "The binding is not provisional, its node is silent, or its time is not over.",
  },
} as const satisfies Readonly<Record<string, RefusalEntry>>;
