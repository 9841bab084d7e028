/**
 * Why room that is kept for a workload is not taken although something was lost: no budget pays for
 * it (BU4). The people who wait are told which budgets there are in that region, what is in the way
 * of each, and who can grant another.
 */
import type { Because } from "../../protocol/decision.ts";
import { NOTHING } from "../../model/amounts.ts";
import { recoveryBudgetText, coversWorkload } from "../../model/recovery-budget.ts";
import type { Replica } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { budgetRule } from "../../rules/obstacles/budget-rule.ts";
import {
  type RecoveryBudgetObstacle,
  recoveryBudgetObstacle,
} from "../../rules/recovery/recovery-budget-for.ts";
import { allRecoveryBudgets, recoveryRules } from "../../rules/recovery/recovery-budgets-now.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { urgentOf } from "../../observe/recovery-now.ts";
import type { View } from "../../observe/view.ts";
import type { NodeFinder } from "../fleet/node-finder.ts";
import type { PlacementMode } from "../fleet/placement-mode.ts";

export interface KeptUnpaid {
  readonly summary: string;
  readonly rejected: NonNullable<Because["rejected"]>;
}

/** How many budgets are written down. */
const BUDGETS_SHOWN = 3;

export function keptUnpaid(
  replica: Replica,
  search: { readonly finder: NodeFinder; readonly view: View; readonly mode: PlacementMode },
): KeptUnpaid | undefined {
  const { finder, mode } = search;
  const { objects } = search.view;
  const isNeeded = urgentOf(objects, objects.workload(workloadOf(replica))) > 0;
  if (!isNeeded || !finder.budgets.isBudgeted) return undefined;
  const room = finder.unpaidRoom(replica, mode);
  if (room === undefined) return undefined;
  const region = objects.nodeNamed(room.node)?.spec.region ?? "";
  const budgets = allRecoveryBudgets(objects).filter(({ spec }) => spec.region === region);
  const earlier = { bindsOf: () => 0, spentOf: () => NOTHING };
  const obstacles = budgets.map((budget) => {
    const obstacle = recoveryBudgetObstacle(objects, budget, { replica, region, earlier });
    return `${recoveryBudgetText(budget)} ${obstacleText(obstacle)}`;
  });
  const shown =
    obstacles.slice(0, BUDGETS_SHOWN).join("; ") || `there is no recovery budget in ${region}`;
  const summary = `no recovery budget in ${region} covers it; the recovery reserve on ${room.node} would fit: ${shown}; ${whoGrants(objects, replica, region)}`;
  const example = obstacles[0] ?? `no recovery budget in ${region}`;
  return {
    summary,
    rejected: { [budgetRule.name]: { count: Math.max(1, obstacles.length), example } },
  };
}

function obstacleText(obstacle: RecoveryBudgetObstacle | undefined): string {
  switch (obstacle?.code) {
    case "budget-spent":
      return `has too little left: ${obstacle.field} ${obstacle.actual} of ${obstacle.expected}`;
    case "budget-over":
      return "has expired";
    case "budget-not-for":
      return `is for ${obstacle.expected}`;
    case undefined:
      return "is promised to others";
  }
}

/** Who can help: the policy by itself, once the reserve has room for it, or a person. */
function whoGrants(objects: ObjectIndex, replica: Replica, region: string): string {
  const workload = objects.workload(workloadOf(replica));
  const grants = recoveryRules(objects)?.grants ?? [];
  const isGranted = grants.some(
    (grant) => grant.region === region && workload !== undefined && coversWorkload(grant, workload),
  );
  return isGranted
    ? "the policy in force grants one as soon as the recovery reserve has room"
    : `grant one with: berth budget grant ${region}`;
}
