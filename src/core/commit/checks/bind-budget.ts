/**
 * Whether a bind may spend the budget that it names, and whether it has to name one (BU4, BU5). Each is judged as if those
 * before it in the same command were bound already (MN2).
 */
import { type Amounts, NOTHING, plus } from "../../model/amounts.ts";
import { budgetKey } from "../../model/budget.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Node, Replica } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { budgetObstacle, type EarlierBinds } from "../../rules/recovery/budget-for.ts";
import { recoveryRules } from "../../rules/recovery/budgets-now.ts";
import type { Placed } from "../../observe/neighbours.ts";
import type { Binding } from "../../protocol/command.ts";
import { type Bench, missing } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";

/** One that was judged before in the same command. */
export interface JudgedBind extends Placed {
  readonly budget: string | undefined;
}

export function unpaid(
  bench: Bench,
  replica: Replica,
  of: { readonly intent: Binding; readonly node: Node; readonly judged: readonly JudgedBind[] },
): No | undefined {
  const { objects } = bench.ledger;
  const { budget: name, spare } = of.intent;
  if (name === undefined) {
    return spare === undefined || recoveryRules(objects) === undefined
      ? undefined
      : no("budget-missing", spare, "a budget that covers it", "none");
  }
  const budget = objects.all("Budget").get(budgetKey(name));
  if (budget === undefined) return missing(budgetKey(name));
  const { region } = of.node.spec;
  const earlier = earlierOf(of.judged);
  const { nowMs } = bench;
  const obstacle = budgetObstacle(objects, budget, { replica, region, earlier, nowMs });
  return (
    obstacle &&
    no(obstacle.code, `${budget.key} ${obstacle.field}`, obstacle.expected, obstacle.actual)
  );
}

const earlierOf = (judged: readonly JudgedBind[]): EarlierBinds => ({
  bindsOf: (workload: ObjectKey): number =>
    judged.filter(({ replica }) => workloadOf(replica) === workload).length,
  spentOf: (name: string): Amounts =>
    judged
      .filter(({ budget }) => budget === name)
      .reduce((sum, { replica }) => plus(sum, replica.spec.template.ask.amounts), NOTHING),
});
