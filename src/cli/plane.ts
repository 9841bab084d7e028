/** `berth plane`: what can be said about a plane on the command line. */
import { type Command, Option } from "commander";
import { DEFAULT_LISTEN } from "./client/find-server.ts";
import type { Terminal } from "./main.ts";
import { listenForStop } from "./until-stopped.ts";

export interface PlaneCommandOptions {
  readonly data?: string;
  readonly listen?: string;
  /** A folder, `false` after --no-record, or nothing said. */
  readonly record?: string | boolean;
  readonly store?: "sqlite" | "memory";
  readonly schedulers?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tokenFile?: string;
  readonly logLevel?: string;
}

export function registerPlane(program: Command, terminal: Terminal): void {
  program
    .command("plane")
    .description("run a control plane: its log, its controllers and its API")
    .option("--data <dir>", "the folder for its log and recording (default: $BERTH_DATA or .berth)")
    .option("--listen <host:port>", `where the API is served (default: ${DEFAULT_LISTEN})`)
    .option("--record <dir>", "where the recording goes (default: DIR/recording)")
    .option("--no-record", "keep no recording; what happened cannot be replayed then")
    .addOption(
      new Option("--store <kind>", "where the log is kept")
        .choices(["sqlite", "memory"])
        .default("sqlite"),
    )
    .option("--schedulers <n>", "how many schedulers place replicas side by side (default: 1)")
    .option("--tls-cert <file>", "the certificate to serve with")
    .option("--tls-key <file>", "its private key")
    .option(
      "--token-file <file>",
      "who may use the API: lines of `user NAME TOKEN`, `agent NODE TOKEN`, `controller NAME TOKEN`",
    )
    .addOption(
      new Option("--log-level <level>", "what is logged on standard error")
        .choices(["debug", "info", "warn", "error", "silent"])
        .default("info"),
    )
    .action(async (options: PlaneCommandOptions) => {
      const stopping = listenForStop();
      try {
        // Loaded only here: the server and the store take longer to load than every other command to run.
        const { runPlane } = await import("./plane/run-plane.ts");
        await runPlane(options, terminal, stopping.asked);
      } finally {
        stopping.ignore();
      }
    });
}
