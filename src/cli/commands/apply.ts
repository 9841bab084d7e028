/** `berth apply`: makes the objects that files describe, or changes them to what the files say. */
import { type Command, Option } from "commander";
import { UserError } from "../../shell/errors.ts";
import { connect } from "../client/connect.ts";
import { listResources, shownName } from "../client/resources.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { APPLIED_BY, applyOne, explainingFiles, tryOut } from "../manifests/apply-manifests.ts";
import { locateManifests } from "../manifests/locate-manifests.ts";
import { readManifests } from "../manifests/read-manifests.ts";

export interface ApplyOptions extends ServerOptions {
  readonly file: readonly string[];
  readonly namespace?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly simulate?: boolean;
  readonly output?: "table" | "json";
  readonly startTakes?: string;
  readonly watch?: string;
}

export function registerApply(program: Command, terminal: Terminal): void {
  const command = program
    .command("apply")
    .description("create or update objects from files")
    .requiredOption(
      "-f, --file <path...>",
      "files or directories of manifests, - for standard input",
    )
    .option("-n, --namespace <tenant>", "tenant of objects without a namespace")
    .option("--force", "take over fields that other managers own")
    .option("--dry-run", "validate on the server and change nothing")
    .option(
      "--simulate",
      "change nothing; show placements, preemptions, waits, rollouts and quota after an apply",
    )
    .addOption(
      new Option("-o, --output <form>", "with --simulate: output format").choices([
        "table",
        "json",
      ]),
    )
    .option(
      "--start-takes <duration>",
      "with --simulate: time from the bind of a process until it serves (default: 5s)",
    )
    .option("--watch <duration>", "with --simulate: how long to follow the plane (default: 10m)");
  addServerOptions(command).action((options: ApplyOptions) => apply(options, terminal));
}

export async function apply(options: ApplyOptions, terminal: Terminal): Promise<void> {
  checkUsage(options);
  // Mistakes in the files are told even where no plane runs.
  const manifests = await readManifests(options.file);
  const client = connect(options);
  const all = locateManifests(manifests, await listResources(client), options.namespace);
  const of = { fieldManager: APPLIED_BY, force: options.force === true };
  await tryOut(client, all, of);
  if (options.simulate === true) {
    // Loaded only here: it brings the controllers of the plane.
    const { simulateManifests } = await import("../manifests/simulate-manifests.ts");
    return simulateManifests(client, all, { of, options }, terminal);
  }
  for (const each of all) {
    const outcome =
      options.dryRun === true
        ? "checked"
        : await explainingFiles(each, () => applyOne(client, each, of));
    terminal.out(`${shownName(each.target)} ${outcome}\n`);
  }
}

function checkUsage({ simulate, dryRun, ...options }: ApplyOptions): void {
  if (simulate === true) {
    if (dryRun !== true) return;
    throw new UserError("bad-usage", "--dry-run and --simulate cannot be used together.");
  }
  const { output, startTakes, watch } = options;
  if (output === undefined && startTakes === undefined && watch === undefined) return;
  throw new UserError(
    "bad-usage",
    "-o, --start-takes and --watch describe a simulation: add --simulate.",
  );
}
