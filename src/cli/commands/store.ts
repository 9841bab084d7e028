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
Reads everything and changes nothing. A log in etcd is read as of one revision and may be in
use. A log in SQLite can be checked only while its plane is stopped; to check it while the
plane runs, take a backup and check the backup.

The exit code is 1 when a check fails.`;

export function registerStore(program: Command, terminal: Terminal): void {
  const store = program.command("store").description("check the store of the log");
  store
    .command("check [backup]")
    .description("verify a log or a backup")
    .option("--store <where>", "store of the log: sqlite or etcd://HOST:PORT,… (default: sqlite)")
    .option(
      "--data <dir>",
      "data directory of the plane, for sqlite (default: $BERTH_DATA or .berth)",
    )
    .option("--json", "print the result as JSON")
    .addHelpText("after", MORE)
    .action(async (backup: string | undefined, options: StoreCheckOptions) => {
      if (backup !== undefined && (options.store ?? options.data) !== undefined) {
        throw new UserError("bad-usage", "A backup and --store cannot be used together.");
      }
      // Loaded only here, like every store.
      const { checkStore } = await import("../backup/check-store.ts");
      await checkStore(backup, options, terminal);
    });
}
