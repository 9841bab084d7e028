/**
 * What is spent of each recovery budget: the asks of the live bindings that name it (BU6). It is
 * kept while bindings are folded, and costs nothing where there is no budget.
 */
import { type Amounts, equalAmounts, minus, NOTHING, plus } from "../model/amounts.ts";
import type { Replica } from "../model/objects.ts";

export class RecoveryBudgetSpending {
  private readonly byName = new Map<string, Amounts>();

  /** Of the budget of this name, whether or not there is one. */
  spent(name: string): Amounts {
    return this.byName.get(name) ?? NOTHING;
  }

  /** A binding that names a budget began, or ended. */
  note(name: string, { spec }: Replica, sign: 1 | -1): void {
    const { amounts } = spec.template.ask;
    const now = sign === 1 ? plus(this.spent(name), amounts) : minus(this.spent(name), amounts);
    // Names never come back; what is left of nothing would be kept for ever.
    if (equalAmounts(now, NOTHING)) this.byName.delete(name);
    else this.byName.set(name, now);
  }
}
