/**
 * The order stage: recoveries that a budget pays for go ahead of the queue, the others wait for
 * their turn.
 */
import type { ObjectKey } from "../../model/ids.ts";
import type { View } from "../../observe/view.ts";
import type { Ordered } from "../../runner/controller.ts";
import type { SchedulerState } from "./placement-look.ts";

export function orderDue(
  due: ReadonlySet<ObjectKey>,
  view: View,
  { line, finder }: SchedulerState,
): Iterable<Ordered> {
  // Hardly any plane has budgets, and every turn asks.
  if (!finder.budgets.isBudgeted) return line.order(due, { view, finder });
  return line.order(due, { view, finder, mayGoAhead: (key) => mayGoAhead(key, view) });
}

/** Whether its fairness window lasts; whether a budget pays for a place is for the look (BU8). */
function mayGoAhead(key: ObjectKey, { objects }: View): boolean {
  const under = objects.workload(key)?.status.recovery?.under;
  return under?.inTurn !== true;
}
