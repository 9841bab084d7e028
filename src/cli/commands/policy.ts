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
    .description("see which policy revision is in force where; move it, and take it back");
  const add = (words: string, description: string): Command =>
    addServerOptions(group.command(words).description(description));
  const addMove = (words: string, description: string): Command =>
    add(words, description)
      .option("--region <name>", "in this region alone (default: everywhere)")
      .option("--reason <text>", "why; it stands in the history")
      .option("--as <name>", "in whose name (default: that of your token, or your user name)");
  add("list", "list policies, revisions, and what is bound under each").action(
    (options: ServerOptions) => listPolicies(options, terminal),
  );
  add("diff <revision> <other>", "say in what two revisions differ").action(
    (one: string, other: string, options: ServerOptions) =>
      diffRevisions([one, other], options, terminal),
  );
  addMove("activate <policy> <revision>", "put a revision in force").action(
    (policy: string, revision: string, options: MoveOptions) =>
      activatePolicy({ policy, revision }, options, terminal),
  );
  addMove("rollback <policy>", "put the revision of before in force, and say what becomes of what")
    .option("--to <revision>", "which one (default: the one that the last move replaced)")
    .option("--dry-run", "only say what would become of what")
    .action((policy: string, options: MoveOptions & { to?: string; dryRun?: boolean }) =>
      rollBackPolicy(policy, options, terminal),
    );
  add("history <policy>", "list who moved the pointer when, from where to where, and why").action(
    (policy: string, options: ServerOptions) => showPolicyHistory(policy, options, terminal),
  );
  registerPreview(group, terminal);
}

/** It has no options to find a plane with: it reads a recording and speaks to nobody. */
function registerPreview(group: Command, terminal: Terminal): void {
  group
    .command("preview <policy>")
    .description("say which recorded decisions would differ with another revision in force")
    .option("--revision <name>", "a revision that the recording knows")
    .option("-f, --file <path>", "a file with a revision that is not in the plane yet")
    .option("--region <name>", "in force in this region alone (default: everywhere)")
    .option("--recording <dir>", "the folder of the recording (default: DIR/recording)")
    .option("--data <dir>", "the folder of a local plane (default: $BERTH_DATA or .berth)")
    .option("--chapter <n>", "play this chapter of the recording")
    .option("--last <duration>", "play the chapters that hold this time (default: 1h)")
    .option("--json", "print one JSON object")
    .action(async (policy: string, options: PreviewOptions) => {
      // It brings the whole plane with it, which no other of these commands needs.
      const { previewPolicy } = await import("../policy/preview.ts");
      await previewPolicy(policy, options, terminal);
    });
}
