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
  "in whose name (default: that of your token, or your user name)",
] as const;

const gather = (each: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...each.split(","),
];

export function registerBudget(program: Command, terminal: Terminal): void {
  const group = program
    .command("budget")
    .description(
      "grant room for recoveries out of the reserve; see who spends it, and take it back",
    );
  registerGrant(group, terminal);
  addServerOptions(
    group.command("list").description("show the reserve, and the budgets: whose, for whom, spent"),
  ).action((options: ServerOptions) => listBudgets(options, terminal));
  const extend = group
    .command("extend <name>")
    .description("let a budget of your own be in force for longer, from now on")
    .requiredOption("--ttl <duration>", "for how long from now")
    .option(...AS);
  addServerOptions(extend).action(
    (name: string, options: BudgetOptions & { readonly ttl: string }) =>
      extendBudget(name, options, terminal),
  );
  const withdraw = group
    .command("withdraw <name>")
    .description("end a budget of your own, or one of the policy's; what is bound on it stays")
    .option(...AS);
  addServerOptions(withdraw).action((name: string, options: BudgetOptions) =>
    withdrawBudget(name, options, terminal),
  );
}

function registerGrant(group: Command, terminal: Terminal): void {
  const grant = group
    .command("grant <region>")
    .description("let recoveries spend so much in a region, for a while")
    .requiredOption("--cpu <amount>", "CPUs, such as 8 or 500m")
    .requiredOption("--memory <amount>", "memory, such as 16Gi")
    .option("--devices <amount>", "devices of all classes together, such as 2")
    .option("--tenant <tenant>", "for this tenant; may be given again (default: all)", gather)
    .option("--class <name>", "for this priority class; may be given again", gather)
    .requiredOption("--ttl <duration>", "how long it is in force, such as 30m; at most 168h")
    .requiredOption("--reason <text>", "why; shown wherever it is spent")
    .option("--name <name>", "its name (default: made of the region and your name)")
    .option(...AS);
  addServerOptions(grant).action((region: string, options: GrantOptions) =>
    grantBudget(region, options, terminal),
  );
}
