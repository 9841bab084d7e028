/** `berth plane`: what can be said about a plane on the command line. */
import { type Command, Option } from "commander";
import { DEFAULT_LISTEN } from "../client/find-server.ts";
import type { Terminal } from "../main.ts";
import { listenForStop } from "../until-stopped.ts";

export interface PlaneCommandOptions {
  readonly data?: string;
  readonly listen?: string;
  /** A folder, `false` after --no-record, or nothing said. */
  readonly record?: string | boolean;
  /** `sqlite`, `memory`, or where an etcd is. */
  readonly store?: string;
  readonly name?: string;
  readonly advertise?: string;
  readonly lease?: string;
  readonly peerCa?: string;
  readonly schedulers?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tokenFile?: string;
  readonly insecureLocal?: boolean;
  readonly logLevel?: string;
  readonly otlp?: string;
  readonly otlpSample?: string;
  readonly decisionLog?: string;
  readonly provisioner?: readonly string[];
  readonly provisioners?: string;
  readonly provisionerServer?: string;
}

export function registerPlane(program: Command, terminal: Terminal): void {
  program
    .command("plane")
    .description("run a control plane: its log, its controllers and its API")
    .option("--data <dir>", "the folder for its log and recording (default: $BERTH_DATA or .berth)")
    .option("--listen <host:port>", `where the API is served (default: ${DEFAULT_LISTEN})`)
    .option("--record <dir>", "where the recording goes (default: DIR/recording)")
    .option("--no-record", "keep no recording; what happened cannot be replayed then")
    .option(
      "--store <where>",
      "where the log is kept: sqlite, memory, or etcd://HOST:PORT,… for several planes (default: $BERTH_STORE or sqlite)",
    )
    .option("--name <name>", "this plane among several (default: its machine and port)")
    .option("--advertise <url>", "where the other planes reach it (default: where it listens)")
    .option("--lease <seconds>", "how long the lead outlives a plane that is lost (default: 5)")
    .option("--peer-ca <file>", "the certificate by which planes trust each other")
    .option("--schedulers <n>", "how many schedulers place replicas side by side (default: 1)")
    .option("--tls-cert <file>", "the certificate to serve with")
    .option("--tls-key <file>", "its private key")
    .option(
      "--token-file <file>",
      "who may use the API: lines of `user NAME TOKEN`, `agent NODE TOKEN`, `controller NAME TOKEN` (default: a list that the plane makes in DIR for the user who starts it)",
    )
    .option(
      "--insecure-local",
      "ask for no tokens: every user of this machine may do everything; for tests",
    )
    .option(
      "--otlp <url>",
      "send traces to a collector over OTLP/HTTP (default: $OTEL_EXPORTER_OTLP_ENDPOINT)",
    )
    .option("--otlp-sample <part>", "the part of replicas that are traced (default: 0.01)")
    .option(
      "--decision-log <file>",
      "keep a line of JSON for every decision, in a few bounded files",
    )
    .option(
      "--provisioner <name=what>",
      "who makes machines for node pools: NAME=exec:COMMAND, NAME=http:URL or NAME=local; may be given several times",
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .option("--provisioners <file>", "the same as YAML, with tokens and time-outs")
    .option(
      "--provisioner-server <urls>",
      "where the agents of new machines find the planes (default: where this one is reached)",
    )
    .addOption(
      new Option("--log-level <level>", "what is logged on standard error")
        .choices(["debug", "info", "warn", "error", "silent"])
        .default("info"),
    )
    .action(async (options: PlaneCommandOptions) => {
      const stopping = listenForStop({ isReloading: true });
      try {
        // Loaded only here: the server and the store take longer to load than every other command to run.
        const { runPlane } = await import("../plane/run-plane.ts");
        await runPlane(options, terminal, stopping.asked);
      } finally {
        stopping.ignore();
      }
    });
}
