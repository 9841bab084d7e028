/** `berth store check`: looks at all that a store or a backup holds and says what is wrong. */
import type { Command } from "commander";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";

export interface StoreCheckOptions {
  readonly store?: string;
  readonly data?: string;
  readonly json?: boolean;
}

const MORE = `
Reads everything and changes nothing. A log in etcd is read as of one moment, whoever leads
meanwhile; a log in SQLite while its plane is stopped. To check the log of a plane that runs
on SQLite, back it up and check the backup.

The exit code is 1 when something is wrong.`;

export function registerStore(program: Command, terminal: Terminal): void {
  const store = program.command("store").description("look after the store that a log is kept in");
  store
    .command("check [backup]")
    .description(
      "verify a log or a backup: checksums, order, replay, quota and what objects must keep",
    )
    .option(
      "--store <where>",
      "where the log is kept: sqlite or etcd://HOST:PORT,… (default: sqlite)",
    )
    .option("--data <dir>", "the folder of a plane, for sqlite (default: $BERTH_DATA or .berth)")
    .option("--json", "print one JSON object")
    .addHelpText("after", MORE)
    .action(async (backup: string | undefined, options: StoreCheckOptions) => {
      if (backup !== undefined && (options.store ?? options.data) !== undefined) {
        throw new UserError("bad-usage", "A backup and a store were named; give one of them.");
      }
      // Loaded only here, like every store.
      const { checkStore } = await import("../backup/check-store.ts");
      await checkStore(backup, options, terminal);
    });
}
