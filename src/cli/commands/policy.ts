/** `berth policy`: which policy revision is in force where, and how it is moved and taken back. */
import type { Command } from "commander";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { activatePolicy } from "../policy/activate.ts";
import { diffRevisions } from "../policy/diff-revisions.ts";
import { showPolicyHistory } from "../policy/history.ts";
import { listPolicies } from "../policy/list.ts";
import type { PreviewOptions } from "../policy/preview.ts";
import { rollBackPolicy } from "../policy/roll-back.ts";

export interface MoveOptions extends ServerOptions {
  readonly as?: string;
  readonly region?: string;
  readonly reason?: string;
}

export function registerPolicy(program: Command, terminal: Terminal): void {
  const group = program
    .command("policy")
    .description("list, activate, roll back or preview policy revisions");
  const add = (words: string, description: string): Command =>
    addServerOptions(group.command(words).description(description));
  const addMove = (words: string, description: string): Command =>
    add(words, description)
      .option("--region <name>", "only in this region (default: all regions)")
      .option("--reason <text>", "reason, shown in the history")
      .option(
        "--as <name>",
        "user to act as (default: the user of your token, or your login name)",
      );
  add("list", "list policies, revisions and the replicas bound under each").action(
    (options: ServerOptions) => listPolicies(options, terminal),
  );
  add("diff <revision> <other>", "show the differences between two revisions").action(
    (one: string, other: string, options: ServerOptions) =>
      diffRevisions([one, other], options, terminal),
  );
  addMove("activate <policy> <revision>", "activate a revision").action(
    (policy: string, revision: string, options: MoveOptions) =>
      activatePolicy({ policy, revision }, options, terminal),
  );
  addMove("rollback <policy>", "roll back to an earlier revision and print the effects")
    .option("--to <revision>", "revision to roll back to (default: the previous one)")
    .option("--dry-run", "print the effects and change nothing")
    .action((policy: string, options: MoveOptions & { to?: string; dryRun?: boolean }) =>
      rollBackPolicy(policy, options, terminal),
    );
  add("history <policy>", "list activations: who, when, from, to and why").action(
    (policy: string, options: ServerOptions) => showPolicyHistory(policy, options, terminal),
  );
  registerPreview(group, terminal);
}

/** It has no options to find a plane with: it reads a recording and needs no plane. */
function registerPreview(group: Command, terminal: Terminal): void {
  group
    .command("preview <policy>")
    .description("replay recorded decisions under another revision")
    .option("--revision <name>", "revision that is in the recording")
    .option("-f, --file <path>", "file with a revision that is not in the plane yet")
    .option("--region <name>", "in force only in this region (default: all regions)")
    .option("--recording <dir>", "directory of the recording (default: DIR/recording)")
    .option("--data <dir>", "data directory of a local plane (default: $BERTH_DATA or .berth)")
    .option("--chapter <n>", "replay this chapter of the recording")
    .option("--last <duration>", "replay the chapters that cover this period (default: 1h)")
    .option("--json", "print the result as JSON")
    .action(async (policy: string, options: PreviewOptions) => {
      // It brings the whole plane with it, which no other of these commands needs.
      const { previewPolicy } = await import("../policy/preview.ts");
      await previewPolicy(policy, options, terminal);
    });
}
