/** `berth budget`: what may be spent on recoveries, where, by whom and until when. */
import type { Command } from "commander";
import { extendBudget } from "../budget/extend.ts";
import { grantBudget, type GrantOptions } from "../budget/grant.ts";
import { listBudgets } from "../budget/list.ts";
import { withdrawBudget } from "../budget/withdraw.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";

export interface BudgetOptions extends ServerOptions {
  readonly as?: string;
}

const AS = [
  "--as <name>",
  "user to act as (default: the user of your token, or your login name)",
] as const;

const gather = (each: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...each.split(","),
];

export function registerRecoveryBudget(program: Command, terminal: Terminal): void {
  const group = program
    .command("budget")
    .description("grant, list, extend or withdraw recovery budgets");
  registerGrant(group, terminal);
  addServerOptions(
    group.command("list").description("list the reserve and the recovery budgets spent from it"),
  ).action((options: ServerOptions) => listBudgets(options, terminal));
  const extend = group
    .command("extend <name>")
    .description("extend one of your recovery budgets")
    .requiredOption("--ttl <duration>", "new duration, counted from now")
    .option(...AS);
  addServerOptions(extend).action(
    (name: string, options: BudgetOptions & { readonly ttl: string }) =>
      extendBudget(name, options, terminal),
  );
  const withdraw = group
    .command("withdraw <name>")
    .description("end your or a policy's recovery budget; its replicas keep running")
    .option(...AS);
  addServerOptions(withdraw).action((name: string, options: BudgetOptions) =>
    withdrawBudget(name, options, terminal),
  );
}

function registerGrant(group: Command, terminal: Terminal): void {
  const grant = group
    .command("grant <region>")
    .description("grant a temporary recovery budget in a region")
    .requiredOption("--cpu <amount>", "CPUs, such as 8 or 500m")
    .requiredOption("--memory <amount>", "memory, such as 16Gi")
    .option("--devices <amount>", "devices of all classes in total, such as 2")
    .option("--tenant <tenant>", "only for this tenant; may be repeated (default: all)", gather)
    .option("--class <name>", "only for this priority class; may be repeated", gather)
    .requiredOption("--ttl <duration>", "how long the budget lasts, such as 30m; at most 168h")
    .requiredOption("--reason <text>", "reason, shown wherever the budget is spent")
    .option("--name <name>", "name of the budget (default: derived from region and user)")
    .option(...AS);
  addServerOptions(grant).action((region: string, options: GrantOptions) =>
    grantBudget(region, options, terminal),
  );
}
