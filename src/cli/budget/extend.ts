/** `berth budget extend`: moves the end of one's own budget, counted from now. */
import { BUDGET_TTL_MS } from "../../core/model/budget.ts";
import { statusText } from "../../steering/api-object.ts";
import { extendTtl } from "../client/extend-ttl.ts";
import type { Terminal } from "../main.ts";
import type { BudgetOptions } from "../commands/budget.ts";
import { budgetPath, untilText } from "../../steering/shown-budget.ts";

export async function extendBudget(
  name: string,
  options: BudgetOptions & { readonly ttl: string },
  terminal: Terminal,
): Promise<void> {
  const extended = await extendTtl(budgetPath(name), options, BUDGET_TTL_MS.least);
  terminal.out(
    `budget/${name} is now in force until ${untilText(statusText(extended, "until"))}\n`,
  );
}
