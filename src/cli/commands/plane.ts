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
  readonly region?: string;
  readonly global?: string;
  readonly globalTokenFile?: string;
  readonly globalCaFile?: string;
  readonly peerCa?: string;
  readonly schedulers?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tokenFile?: string;
  readonly authConfig?: string;
  readonly secretKeyFile?: string;
  readonly secretKeyCommand?: string;
  readonly unreadableSecrets?: boolean;
  readonly clientCa?: string;
  readonly signerCert?: string;
  readonly signerKey?: string;
  readonly issuer?: string;
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
  const command = program
    .command("plane")
    .description("run a control plane: log, controllers and API server")
    .option(
      "--data <dir>",
      "data directory for the log and recording (default: $BERTH_DATA or .berth)",
    )
    .option("--listen <host:port>", `address to serve the API on (default: ${DEFAULT_LISTEN})`)
    .option("--record <dir>", "directory for the recording (default: DIR/recording)")
    .option("--no-record", "do not write a recording; disables replay")
    .option(
      "--store <where>",
      "store of the log: sqlite, memory, or etcd://HOST:PORT,… for several planes (default: $BERTH_STORE or sqlite)",
    )
    .option("--name <name>", "unique name of this plane (default: HOSTNAME:PORT)")
    .option("--advertise <url>", "address for other planes (default: the --listen address)")
    .option(
      "--lease <seconds>",
      "leader lease: how long a lost leader blocks a failover (default: 5)",
    )
    .option("--peer-ca <file>", "CA certificate for connections between planes")
    .option("--region <name>", "run the plane of this region alone; needs --global")
    .option(
      "--global <urls>",
      "address of the global plane that lends this region quota, or of several that share its log",
    )
    .option("--global-token-file <file>", "token for the global plane")
    .option("--global-ca-file <file>", "CA certificate of the global plane")
    .option("--schedulers <n>", "number of parallel schedulers (default: 1)");
  takeCredentials(command)
    .option(
      "--otlp <url>",
      "send traces to a collector over OTLP/HTTP (default: $OTEL_EXPORTER_OTLP_ENDPOINT)",
    )
    .option("--otlp-sample <part>", "fraction of replicas to trace (default: 0.01)")
    .option("--decision-log <file>", "log every decision as a line of JSON, with rotation")
    .option(
      "--provisioner <name=what>",
      "provisioner of node pools: NAME=exec:COMMAND, NAME=http:URL or NAME=local; may be repeated",
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .option("--provisioners <file>", "YAML file with provisioners, their tokens and timeouts")
    .option(
      "--provisioner-server <urls>",
      "plane address for the agents of new machines (default: the address of this plane)",
    )
    .addOption(
      new Option("--log-level <level>", "log level of standard error")
        .choices(["debug", "info", "warn", "error", "silent"])
        .default("info"),
    );
  takeKeys(command).action(async (options: PlaneCommandOptions) => {
    const stopping = listenForStop({ isReloading: true });
    try {
      // Loaded only here: the server and the store take longer to load than every other command
      // to run.
      const { runPlane } = await import("../plane/run-plane.ts");
      await runPlane(options, terminal, stopping.asked);
    } finally {
      stopping.ignore();
    }
  });
}

/** How callers are known. */
const takeCredentials = (command: Command): Command =>
  command
    .option("--tls-cert <file>", "TLS certificate of the API")
    .option("--tls-key <file>", "private key of the certificate")
    .option(
      "--token-file <file>",
      "tokens of the API, as lines of `user NAME TOKEN`, `agent NODE TOKEN`, `controller NAME TOKEN` (default: generated in DIR for the current user)",
    )
    .option(
      "--signer-cert <file>",
      "certificate of the authority that signs certificates of agents (default: generated in DIR)",
    )
    .option("--signer-key <file>", "private key of that authority")
    .option(
      "--issuer <url>",
      "address under which others check tokens of replicas (default: --advertise, as https)",
    )
    .option(
      "--client-ca <file>",
      "CA certificates whose client certificates the API accepts: CN is the user, O are the groups",
    )
    .option(
      "--auth-config <file>",
      "issuers of JWTs that the API accepts (OIDC), as an AuthenticationConfiguration of Kubernetes",
    )
    .option(
      "--insecure-local",
      "disable authentication for all users of this machine; for tests only",
    );

const takeKeys = (command: Command): Command =>
  command
    .option(
      "--secret-key-file <file>",
      "keys that secrets are sealed with, one in base64 per line, the first in use (default: none, and no secrets)",
    )
    .option("--secret-key-command <command>", "shell command that prints such keys")
    .option(
      "--unreadable-secrets",
      "start although the key of some secrets is missing: replicas that need them wait",
    );
