/**
 * `berth budget withdraw`: ends one's own budget, or one of the policy's, and says what is still
 * spent of it.
 */
import { actingAs } from "../client/acting-as.ts";
import type { ShownObject } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import type { Terminal } from "../main.ts";
import type { BudgetOptions } from "../commands/budget.ts";
import {
  amountsIn,
  amountsText,
  recoveryBudgetPath,
} from "../../steering/shown-recovery-budget.ts";

export async function withdrawBudget(
  name: string,
  options: BudgetOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const { name: as } = await actingAs(client, options);
  const path = recoveryBudgetPath(name);
  await client.send("DELETE", path, { as });
  terminal.out(`recoverybudget/${name} withdrawn; it binds no more replicas\n`);
  const left = await client.get<ShownObject>(path).catch(() => undefined);
  const count = Number(left?.status?.["replicaCount"] ?? 0);
  if (count === 0) return;
  const spent = amountsText(amountsIn(left?.status?.["spent"]));
  const who = count === 1 ? "1 replica keeps running" : `${count} replicas keep running`;
  terminal.out(`${who}; ${spent} return to the reserve when they end\n`);
}
