/** `berth override`: what people decide for a while, against what controllers would do. */
import { Argument, type Command } from "commander";
import { OVERRIDE_ACTIONS } from "../../core/model/override.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { createOverride, type CreateOptions } from "../override/create.ts";
import { extendOverride } from "../override/extend.ts";
import { listOverrides } from "../override/list.ts";
import { releaseOverride } from "../override/release.ts";

export interface OverrideOptions extends ServerOptions {
  readonly as?: string;
}

const AS = [
  "--as <name>",
  "user to act as (default: the user of your token, or your login name)",
] as const;

export function registerOverride(program: Command, terminal: Terminal): void {
  const group = program
    .command("override")
    .description("create, list, extend or release temporary overrides");
  const create = group
    .command("create")
    .addArgument(new Argument("<action>", "action of the override").choices(OVERRIDE_ACTIONS))
    .description("create an override with a reason and an end")
    .requiredOption("--reason <text>", "reason, shown wherever the override acts")
    .requiredOption("--ttl <duration>", "how long the override lasts, such as 30m; at most 168h")
    .option("--name <name>", "name of the override (default: derived from the action)")
    .option("--region <region>", "apply to a region")
    .option("--zone <zone>", "apply to a zone")
    .option("--node <node>", "apply to a node")
    .option("--tenant <tenant>", "apply to a tenant")
    .option("--workload <tenant/name>", "apply to a workload")
    .option("--all", "apply to everything (pause-expansion and pause-repair only)")
    .option("--by <n>", "for raise-budget: number of replicas, or percent of a region's budgets")
    .option("--postcondition <what>", "condition to check when it ends, as tenant/workload>=N")
    .option(...AS);
  addServerOptions(create).action((action: string, options: CreateOptions) =>
    createOverride(action, options, terminal),
  );
  addServerOptions(
    group.command("list").description("list overrides: owner, reason, end, what they block"),
  ).action((options: ServerOptions) => listOverrides(options, terminal));
  const extend = group
    .command("extend <name>")
    .description("extend one of your overrides")
    .requiredOption("--ttl <duration>", "new duration, counted from now")
    .option(...AS);
  addServerOptions(extend).action(
    (name: string, options: OverrideOptions & { readonly ttl: string }) =>
      extendOverride(name, options, terminal),
  );
  const release = group
    .command("release <name>")
    .description("end one of your overrides early")
    .option(...AS);
  addServerOptions(release).action((name: string, options: OverrideOptions) =>
    releaseOverride(name, options, terminal),
  );
}
