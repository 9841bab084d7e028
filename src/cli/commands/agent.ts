/**
 * `berth agent`: runs replicas on this machine for a plane, until it is told to stop. What runs goes on
 * without it, for as long as its leash lets it, and the next agent takes it over.
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
  readonly address?: string;
  readonly data?: string;
  readonly tokenFile?: string;
  readonly caFile?: string;
  readonly stopProcessesOnExit?: boolean;
  readonly logLevel?: string;
}

export function registerAgent(program: Command, terminal: Terminal): void {
  program
    .command("agent")
    .description("run replicas on this machine for a plane")
    .option(
      "--server <urls>",
      "the plane's address, or several with commas (default: $BERTH_SERVER)",
    )
    .requiredOption("--name <node>", "the name of this node")
    .requiredOption("--region <name>", "the region it is in")
    .requiredOption("--zone <name>", "the zone it is in")
    .option("--cpu <cpus>", "CPUs for replicas (default: all of them)")
    .option("--memory <size>", "memory for replicas, such as 8Gi (default: all of it)")
    .option("--device-class <class>", "the class of its exclusive devices, such as gpu")
    .option("--device-ids <ids>", "their ids, with commas between")
    .option("--label <key=value>", "a label of the node; may be given several times", append, [])
    .option(
      "--address <host>",
      "under which replicas here are reached (default: as seen by the plane)",
    )
    .option("--data <dir>", "the folder for processes and logs (default: .berth/agents/NODE)")
    .option("--token-file <file>", "a file with the token to send (default: $BERTH_TOKEN_FILE)")
    .option("--ca-file <file>", "the certificate to trust (default: $BERTH_CA_FILE)")
    .option(
      "--stop-processes-on-exit",
      "stop what runs here instead of leaving it to the next agent",
    )
    .addOption(
      new Option("--log-level <level>", "what is logged on standard error")
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
