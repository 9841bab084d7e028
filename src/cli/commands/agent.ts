/**
 * `berth agent`: runs replicas on this machine for a plane, until it is told to stop. What runs
 * goes on without it, for as long as its leash lets it, and the next agent takes it over.
 */
import { type Command, Option } from "commander";
import type { Terminal } from "../main.ts";
import { listenForStop } from "../until-stopped.ts";

export interface AgentCommandOptions {
  readonly server?: string;
  readonly name: string;
  readonly region: string;
  readonly zone: string;
  readonly cpu?: string;
  readonly memory?: string;
  readonly deviceClass?: string;
  readonly deviceIds?: string;
  readonly label?: readonly string[];
  readonly drivers?: string;
  readonly readable?: readonly string[];
  readonly images?: string;
  readonly registries?: string;
  readonly registryAuthFile?: string;
  readonly imageCache?: string;
  readonly disk?: string;
  readonly address?: string;
  readonly data?: string;
  readonly tokenFile?: string;
  readonly bootstrapTokenFile?: string;
  readonly caFile?: string;
  readonly stopProcessesOnExit?: boolean;
  readonly logLevel?: string;
}

export function registerAgent(program: Command, terminal: Terminal): void {
  program
    .command("agent")
    .description("run an agent: join this machine to a plane as a node")
    .option(
      "--server <urls>",
      "plane address, or several separated by commas (default: $BERTH_SERVER)",
    )
    .requiredOption("--name <node>", "name of this node")
    .requiredOption("--region <name>", "region of the node")
    .requiredOption("--zone <name>", "zone of the node")
    .option("--cpu <cpus>", "CPUs available to replicas (default: all)")
    .option("--memory <size>", "memory available to replicas, such as 8Gi (default: all)")
    .option("--device-class <class>", "class of the node's devices, such as gpu")
    .option("--device-ids <ids>", "device ids, separated by commas")
    .option("--label <key=value>", "node label; may be repeated", append, [])
    .option(
      "--drivers <names>",
      "what may run replicas: of sandbox, image and process, with commas, the usual one first (default: sandbox where the machine can, else process)",
    )
    .option(
      "--readable <dir>",
      "directory that sandboxes show, read-only; may be repeated",
      append,
      [],
    )
    .option("--images <dir>", "directory with OCI layouts and archives of images (default: none)")
    .option(
      "--registries <hosts>",
      "registries that images may come from, separated by commas (default: any)",
    )
    .option(
      "--registry-auth-file <file>",
      "credentials of registries, as `skopeo login --authfile` writes them",
    )
    .option(
      "--image-cache <size>",
      "room for unpacked images, before unused ones are removed (default: 20Gi)",
    )
    .option(
      "--disk <size>",
      "room on the disk of --data for replicas that ask for some (default: all but a tenth)",
    )
    .option("--address <host>", "address of this node's replicas (default: as seen by the plane)")
    .option("--data <dir>", "data directory for processes and logs (default: .berth/agents/NODE)")
    .option("--token-file <file>", "file with the bearer token (default: $BERTH_TOKEN_FILE)")
    .option(
      "--bootstrap-token-file <file>",
      "file with a bootstrap token, which buys the certificate of this node; read until there is one",
    )
    .option("--ca-file <file>", "CA certificate to trust (default: $BERTH_CA_FILE)")
    .option(
      "--stop-processes-on-exit",
      "stop all replicas on exit; by default the next agent adopts them",
    )
    .addOption(
      new Option("--log-level <level>", "log level of standard error")
        .choices(["debug", "info", "warn", "error", "silent"])
        .default("info"),
    )
    .action(async (options: AgentCommandOptions) => {
      const stopping = listenForStop({ isReloading: true });
      try {
        // Loaded only here: no other command needs it.
        const { runAgentCommand } = await import("../agent/run-agent-command.ts");
        await runAgentCommand(options, terminal, stopping.asked);
      } finally {
        stopping.ignore();
      }
    });
}

const append = (value: string, before: readonly string[]): readonly string[] => [...before, value];
