/** `berth backup`: a copy of a plane's log as one file, from the plane while it runs or from its store. */
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
revision. It is read back before it gets its name.

From etcd it is read directly, whoever leads. A log in SQLite belongs to its plane: while
that runs the plane itself sends the backup, otherwise it is read from the folder.

It contains the environments of all workloads, which may be secrets. Only you may read the
file; keep it like a password. docs/operations.md says how to restore it.`;

export function registerBackup(program: Command, terminal: Terminal): void {
  const command = program
    .command("backup")
    .description("write a copy of a plane's log to a file, also while the plane runs")
    .requiredOption("--out <file>", "the file to write")
    .option(
      "--store <where>",
      "where the log is kept: sqlite or etcd://HOST:PORT,… (default: sqlite)",
    )
    .option("--json", "print one JSON object")
    .addHelpText("after", MORE);
  addServerOptions(command).action(async (options: BackupOptions) => {
    // Loaded only here, like every store.
    const { backUp } = await import("../backup/back-up.ts");
    await backUp(options, terminal);
  });
}
