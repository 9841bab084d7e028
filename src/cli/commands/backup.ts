/**
 * `berth backup`: a copy of a plane's log as one file, from the plane while it runs or from its
 * store.
 */
import type { Command } from "commander";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";

export interface BackupOptions extends ServerOptions {
  readonly store?: string;
  readonly out: string;
  readonly json?: boolean;
}

const MORE = `
A backup holds the newest snapshots and every commit that the log still keeps, as of one
revision. It is verified before the file gets its final name.

A log in etcd is read directly, whichever plane leads. A log in SQLite is sent by its plane
while the plane runs, and read from the data directory otherwise.

A backup contains the environments of all workloads, which may hold secrets. The file is
readable by you only; protect it like a password. See docs/operations.md for the restore.`;

export function registerBackup(program: Command, terminal: Terminal): void {
  const command = program
    .command("backup")
    .description("back up a plane's log to a file, also while it runs")
    .requiredOption("--out <file>", "file to write")
    .option("--store <where>", "store of the log: sqlite or etcd://HOST:PORT,… (default: sqlite)")
    .option("--json", "print the result as JSON")
    .addHelpText("after", MORE);
  addServerOptions(command).action(async (options: BackupOptions) => {
    // Loaded only here, like every store.
    const { backUp } = await import("../backup/back-up.ts");
    await backUp(options, terminal);
  });
}
