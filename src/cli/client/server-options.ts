/** The options that every command which talks to a plane has in common. */
import type { Command } from "commander";

export interface ServerOptions {
  readonly server?: string;
  readonly tokenFile?: string;
  readonly caFile?: string;
  readonly data?: string;
}

/** Where a plane keeps its files unless told otherwise; `berth plane` leaves its address there. */
export const DEFAULT_DATA = ".berth";

export function addServerOptions(command: Command): Command {
  return command
    .option(
      "--server <urls>",
      "plane address, or several separated by commas (default: $BERTH_SERVER, or the plane recorded in DIR)",
    )
    .option("--token-file <file>", "file with the bearer token (default: $BERTH_TOKEN_FILE)")
    .option("--ca-file <file>", "CA certificate to trust (default: $BERTH_CA_FILE)")
    .option(
      "--data <dir>",
      `data directory of a local plane (default: $BERTH_DATA or ${DEFAULT_DATA})`,
    );
}

export const dataFolder = ({ data }: ServerOptions): string =>
  data ?? process.env["BERTH_DATA"] ?? DEFAULT_DATA;
