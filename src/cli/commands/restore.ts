/** `berth restore`: makes a new log of a backup, in the same kind of store or in the other. */
import type { Command } from "commander";
import type { Terminal } from "../main.ts";

export interface RestoreOptions {
  readonly store?: string;
  readonly data?: string;
  readonly move?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const MORE = `
The store must be empty. Objects, their revisions and the operations that had their effect
are those of the backup.

A restored plane is older than the world. Agents run what the backup does not know, and
clients have seen revisions and epochs that are not in it. So the new log goes on a
thousand million revisions and a million epochs later: nothing that anybody has seen is
given out again for something else. Watchers are told to list again. Agents take the new
plane for the newest, stop the processes that it does not know, and report the rest. Until
every agent has come back a slot may run twice; stop the agents first where that must not
be. Every other plane of the old log has to be stopped for good.

With --move the revisions go on without a gap and the kept history stays. That is only for
a log that moves to another store: its plane was stopped before the backup was taken and
has not run since.

docs/operations.md goes through it step by step.`;

export function registerRestore(program: Command, terminal: Terminal): void {
  program
    .command("restore <file>")
    .description("make a log of a backup, in a store that has none")
    .option("--store <where>", "where to: sqlite or etcd://HOST:PORT,… (default: sqlite)")
    .option("--data <dir>", "the folder of the plane, for sqlite (default: $BERTH_DATA or .berth)")
    .option("--move", "the plane was stopped before the backup: keep revisions and history")
    .option("--dry-run", "check the backup and the store, and say what would be written")
    .option("--json", "print one JSON object")
    .addHelpText("after", MORE)
    .action(async (file: string, options: RestoreOptions) => {
      // Loaded only here, like every store.
      const { restore } = await import("../backup/restore-backup.ts");
      await restore(file, options, terminal);
    });
}
