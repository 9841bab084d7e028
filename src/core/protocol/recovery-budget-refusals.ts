/** Every way the authority says no to a recovery budget, or to a bind that spends one. */
import type { RefusalEntry } from "./refusals.ts";

export const RECOVERY_BUDGET_REFUSALS = {
  "budget-fixed": {
    rule: "BU1",
    kind: "refused",
    sentence:
      "The amounts, region, tenants and classes of a recovery budget are immutable; only its end can change.",
  },
  "budget-owned": {
    rule: "BU1",
    kind: "refused",
    sentence: "Another user owns the recovery budget; only its owner can extend or withdraw it.",
  },
  "budget-reserve": {
    rule: "BU2",
    kind: "conflict",
    sentence: "The recovery budgets would exceed the reserve of the policy in force.",
  },
  "grant-not-due": {
    rule: "BU3",
    kind: "conflict",
    sentence: "The policy in force does not grant this recovery budget now.",
  },
  "budget-missing": {
    rule: "BU4",
    kind: "conflict",
    sentence: "Only a replica with a recovery budget may use the recovery reserve.",
  },
  "budget-over": {
    rule: "BU5",
    kind: "conflict",
    sentence: "The recovery budget has expired; it covers no new binding and cannot be extended.",
  },
  "budget-not-for": {
    rule: "BU5",
    kind: "conflict",
    sentence:
      "The recovery budget is for another region, tenant or class, or the workload is not recovering.",
  },
  "budget-spent": {
    rule: "BU5",
    kind: "conflict",
    sentence: "The recovery budget has too little left.",
  },
  "budget-in-use": {
    rule: "BU7",
    kind: "conflict",
    sentence: "Some of the recovery budget is still spent.",
  },
  "budget-not-over": {
    rule: "BU7",
    kind: "conflict",
    sentence: "The recovery budget is in force; only its owner can withdraw it before it expires.",
  },
} as const satisfies Record<string, RefusalEntry>;
