/**
 * Whether a bind may spend the budget that it names, and whether it has to name one (BU4, BU5).
 * Each is checked as if those before it in the same command were bound already (MN2).
 */
import { type Amounts, NOTHING, plus } from "../../model/amounts.ts";
import { recoveryBudgetKey } from "../../model/recovery-budget.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Node, Replica } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import {
  recoveryBudgetObstacle,
  type EarlierBinds,
} from "../../rules/recovery/recovery-budget-for.ts";
import { recoveryRules } from "../../rules/recovery/recovery-budgets-now.ts";
import type { Placed } from "../../observe/neighbours.ts";
import type { Binding } from "../../protocol/command.ts";
import { type CommitContext, missing } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

/** One that was checked before in the same command. */
export interface CheckedBind extends Placed {
  readonly budget: string | undefined;
}

export function unpaid(
  context: CommitContext,
  replica: Replica,
  asked: {
    readonly intent: Binding;
    readonly node: Node;
    readonly checked: readonly CheckedBind[];
  },
): Rejection | undefined {
  const { objects } = context.ledger;
  const { budget: name, spare } = asked.intent;
  if (name === undefined) {
    return spare === undefined || recoveryRules(objects) === undefined
      ? undefined
      : reject("budget-missing", spare, "a budget that covers it", "none");
  }
  const budget = objects.all("RecoveryBudget").get(recoveryBudgetKey(name));
  if (budget === undefined) return missing(recoveryBudgetKey(name));
  const { region } = asked.node.spec;
  const earlier = earlierOf(asked.checked);
  const { nowMs } = context;
  const obstacle = recoveryBudgetObstacle(objects, budget, { replica, region, earlier, nowMs });
  return (
    obstacle &&
    reject(obstacle.code, `${budget.key} ${obstacle.field}`, obstacle.expected, obstacle.actual)
  );
}

const earlierOf = (checked: readonly CheckedBind[]): EarlierBinds => ({
  bindsOf: (workload: ObjectKey): number =>
    checked.filter(({ replica }) => workloadOf(replica) === workload).length,
  spentOf: (name: string): Amounts =>
    checked
      .filter(({ budget }) => budget === name)
      .reduce((sum, { replica }) => plus(sum, replica.spec.template.ask.amounts), NOTHING),
});
