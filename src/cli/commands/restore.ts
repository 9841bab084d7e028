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
The target store must be empty. The restored log has the objects, revisions and completed
operations of the backup.

A restored plane is behind the cluster: agents may run replicas that the backup does not
contain, and clients may have seen later revisions and epochs. To never reuse one of them,
the new log continues a thousand million revisions and a million epochs later. Watchers are
told to list again. Agents accept the restored plane as the newest, stop processes that it
does not know, and report the rest. Until every agent has reconnected, a replica may run
twice; stop the agents before the restore if that must not happen. Stop every other
plane of the old log for good.

With --move, revisions continue without a gap and the history is kept. Use it only to move a
log to another store: the plane must be stopped before the backup and must not run afterwards.

See docs/operations.md for the steps.`;

export function registerRestore(program: Command, terminal: Terminal): void {
  program
    .command("restore <file>")
    .description("restore a backup into an empty store")
    .option("--store <where>", "target store: sqlite or etcd://HOST:PORT,… (default: sqlite)")
    .option(
      "--data <dir>",
      "data directory of the plane, for sqlite (default: $BERTH_DATA or .berth)",
    )
    .option(
      "--move",
      "keep revisions and history; the plane must be stopped since before the backup",
    )
    .option("--dry-run", "check the backup and the store; write nothing")
    .option("--json", "print the result as JSON")
    .addHelpText("after", MORE)
    .action(async (file: string, options: RestoreOptions) => {
      // Loaded only here, like every store.
      const { restore } = await import("../backup/restore-backup.ts");
      await restore(file, options, terminal);
    });
}
