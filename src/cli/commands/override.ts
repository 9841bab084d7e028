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
  "in whose name (default: that of your token, or your user name)",
] as const;

export function registerOverride(program: Command, terminal: Terminal): void {
  const group = program
    .command("override")
    .description("hold something back, or allow more, for a while; see who does, and let go again");
  const create = group
    .command("create")
    .addArgument(new Argument("<action>", "what it does").choices(OVERRIDE_ACTIONS))
    .description("make an override in your name, with a reason and an end")
    .requiredOption("--reason <text>", "why; shown wherever it acts")
    .requiredOption("--ttl <duration>", "how long it holds, such as 30m; at most 168h")
    .option("--name <name>", "its name (default: made of what it does)")
    .option("--region <region>", "about a region")
    .option("--zone <zone>", "about a zone")
    .option("--node <node>", "about a node")
    .option("--tenant <tenant>", "about a tenant")
    .option("--workload <tenant/name>", "about a workload")
    .option("--all", "about everything: pause-expansion and pause-repair only")
    .option("--by <n>", "of raise-budget: by how many replicas, or percent of a region's budgets")
    .option("--postcondition <what>", "what is to be true when it ends, as tenant/workload>=N")
    .option(...AS);
  addServerOptions(create).action((action: string, options: CreateOptions) =>
    createOverride(action, options, terminal),
  );
  addServerOptions(
    group
      .command("list")
      .description("list overrides: whose, why, until when, what they hold back"),
  ).action((options: ServerOptions) => listOverrides(options, terminal));
  const extend = group
    .command("extend <name>")
    .description("let an override of your own hold for longer, from now on")
    .requiredOption("--ttl <duration>", "for how long from now")
    .option(...AS);
  addServerOptions(extend).action(
    (name: string, options: OverrideOptions & { readonly ttl: string }) =>
      extendOverride(name, options, terminal),
  );
  const release = group
    .command("release <name>")
    .description("end an override of your own before its time")
    .option(...AS);
  addServerOptions(release).action((name: string, options: OverrideOptions) =>
    releaseOverride(name, options, terminal),
  );
}
