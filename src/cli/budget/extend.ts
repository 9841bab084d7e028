/** `berth budget extend`: moves the end of one's own budget, counted from now. */
import { RECOVERY_BUDGET_TTL_MS } from "../../core/model/recovery-budget.ts";
import { statusText } from "../../steering/api-object.ts";
import { extendTtl } from "../client/extend-ttl.ts";
import type { Terminal } from "../main.ts";
import type { BudgetOptions } from "../commands/budget.ts";
import { recoveryBudgetPath, untilText } from "../../steering/shown-recovery-budget.ts";

export async function extendBudget(
  name: string,
  options: BudgetOptions & { readonly ttl: string },
  terminal: Terminal,
): Promise<void> {
  const extended = await extendTtl(recoveryBudgetPath(name), options, RECOVERY_BUDGET_TTL_MS.least);
  terminal.out(
    `recoverybudget/${name} is now in force until ${untilText(statusText(extended, "until"))}\n`,
  );
}
