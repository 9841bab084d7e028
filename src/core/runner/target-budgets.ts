/**
 * What the controllers of one process may send again to the same target: to the authority as a
 * whole, and about one node. Shared, because a struggling target does not care which of them it
 * hears from.
 */
import { type ObjectKey, parseKey } from "../model/ids.ts";
import { NODE_ALLOWANCE, PLANE_ALLOWANCE, RetryBudget } from "./retry-budget.ts";

export class TargetBudgets {
  readonly plane = new RetryBudget(PLANE_ALLOWANCE);
  /** Only nodes about which something went unanswered; the first answer forgets the node. */
  private readonly nodes = new Map<ObjectKey, RetryBudget>();

  /** Of the node that the key is; undefined for every other key. */
  ofNode(key: ObjectKey): RetryBudget | undefined {
    if (parseKey(key).kind !== "Node") return undefined;
    let budget = this.nodes.get(key);
    if (budget === undefined) {
      budget = new RetryBudget(NODE_ALLOWANCE);
      this.nodes.set(key, budget);
    }
    return budget;
  }

  answered(key: ObjectKey): void {
    this.plane.answered();
    if (this.nodes.size > 0) this.nodes.delete(key);
  }
}
