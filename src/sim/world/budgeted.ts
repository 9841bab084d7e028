/**
 * Whether recoveries have budgets in a world: some revision of a policy says so, from the beginning
 * or later.
 */
import type { World } from "./world.ts";

/**
 * Who has something to do only there; elsewhere they watch nothing, and no fault that hits them
 * would be one.
 */
export const RECOVERY_BUDGET_COMPONENTS = ["grant-budget", "expire-budget"] as const;

export const isBudgeted = ({ policyRevisions = [], timeline }: World): boolean =>
  policyRevisions.some(({ spec }) => spec.recovery !== undefined) ||
  timeline.some(
    ({ action }) =>
      action.do === "put-policy-revision" && action.policyRevision.spec.recovery !== undefined,
  );
