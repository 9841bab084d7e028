/** `berth policy`: which policy revision is in force where, and how it is moved and taken back. */
import type { Command } from "commander";
import { addServerOptions, type ServerOptions } from "./client/server-options.ts";
import type { Terminal } from "./main.ts";
import { activatePolicy } from "./policy/activate.ts";
import { diffRevisions } from "./policy/diff-revisions.ts";
import { showPolicyHistory } from "./policy/history.ts";
import { listPolicies } from "./policy/list.ts";
import { rollBackPolicy } from "./policy/roll-back.ts";

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
}
