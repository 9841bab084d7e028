/** Every way the authority says no to a recovery budget, or to a bind that spends one. */
import type { RefusalEntry } from "./refusals.ts";

export const BUDGET_REFUSALS = {
  "budget-fixed": {
    rule: "BU1",
    kind: "refused",
    sentence: "What a budget grants, where and to whom stays as it was made; only its end moves.",
  },
  "budget-owned": {
    rule: "BU1",
    kind: "refused",
    sentence: "The budget is somebody else's; only its owner extends or withdraws it.",
  },
  "budget-reserve": {
    rule: "BU2",
    kind: "conflict",
    sentence: "The budgets would come to more than the reserve of the policy in force.",
  },
  "grant-not-due": {
    rule: "BU3",
    kind: "conflict",
    sentence: "No grant of the policy in force asks for this budget now.",
  },
  "budget-missing": {
    rule: "BU4",
    kind: "conflict",
    sentence: "Room that is kept for recovery is taken on a budget only.",
  },
  "budget-over": {
    rule: "BU5",
    kind: "conflict",
    sentence: "The budget is over; nothing is bound on it, and it is not brought back.",
  },
  "budget-not-for": {
    rule: "BU5",
    kind: "conflict",
    sentence: "The budget is for another region or other work, or nothing is to be recovered.",
  },
  "budget-spent": {
    rule: "BU5",
    kind: "conflict",
    sentence: "Too little is left of the budget.",
  },
  "budget-in-use": {
    rule: "BU7",
    kind: "conflict",
    sentence: "Something is still spent of the budget.",
  },
  "budget-not-over": {
    rule: "BU7",
    kind: "conflict",
    sentence: "The budget is in force; only its owner withdraws it before its time.",
  },
} as const satisfies Record<string, RefusalEntry>;
