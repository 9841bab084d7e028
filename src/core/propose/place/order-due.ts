/**
 * The order stage: recoveries that a budget pays for go ahead of the queue, the others wait for
 * their turn.
 */
import type { ObjectKey } from "../../model/ids.ts";
import type { View } from "../../observe/view.ts";
import type { Ordered } from "../../runner/controller.ts";
import { AHEAD } from "../fleet/placement-mode.ts";
import type { SchedulerState } from "./placement-look.ts";

export function orderDue(
  due: ReadonlySet<ObjectKey>,
  view: View,
  state: SchedulerState,
): Iterable<Ordered> {
  const { line, finder } = state;
  // Hardly any plane has budgets, and every turn asks.
  if (!finder.budgets.isBudgeted) return line.order(due, { view, finder });
  return line.order(due, { view, finder, mayGoAhead: (key) => mayGoAhead(key, view, state) });
}

/** Whether its window lasts, and there is a place for it that a budget pays for (BU8). */
function mayGoAhead(key: ObjectKey, view: View, { queued, finder }: SchedulerState): boolean {
  const [first] = queued.first(key, 1, view);
  const under = view.objects.workload(key)?.status.recovery?.under;
  if (first === undefined || under?.inTurn === true) return false;
  return finder.find(first, AHEAD) !== undefined;
}
