/**
 * `berth agent`: runs replicas on this machine for a plane, until it is told to stop. What runs goes on
 * without it, for as long as its leash lets it, and the next agent takes it over.
 */
import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { CannotRunError } from "../agent/cannot-run-error.ts";
import { discoverCapacity } from "../agent/discover-capacity.ts";
import type { Credentials } from "../agent/http-caller.ts";
import type { NodeDescription } from "../agent/register-node.ts";
import { runAgent } from "../agent/run-agent.ts";
import { CPU_FORM, MEMORY_FORM, parseCpu, parseMemory } from "../quantity/quantity.ts";
import { UserError } from "./errors.ts";
import { createLog } from "./line-log.ts";
import type { Terminal } from "./main.ts";
import { readInput } from "./read-input.ts";
import { listenForStop } from "./until-stopped.ts";

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
      const stopping = listenForStop();
      try {
        await runAgentCommand(options, terminal, stopping.asked);
      } finally {
        stopping.ignore();
      }
    });
}

export async function runAgentCommand(
  options: AgentCommandOptions,
  terminal: Terminal,
  stopped: Promise<string>,
): Promise<void> {
  const node = describeNode(options);
  const servers = readServers(options.server ?? process.env["BERTH_SERVER"]);
  const folder = options.data ?? join(process.env["BERTH_DATA"] ?? ".berth", "agents", node.name);
  const log = createLog(options.logLevel ?? "info");
  const breaking = new EventEmitter();
  const broken = once(breaking, "broken").then(([error]: unknown[]) => error);
  const agent = await runAgent({
    node,
    servers,
    folder,
    credentials: readCredentials(options),
    ...(options.address === undefined ? {} : { address: options.address }),
    note: (message) => log.info(message),
    onBroken: (error) => void breaking.emit("broken", error),
  }).catch((error: unknown) => {
    if (error instanceof CannotRunError) throw new UserError("bad-usage", error.message);
    throw error;
  });
  log.info({ node: node.name, folder, servers: servers.map(({ href }) => href) }, "agent started");
  const why = await Promise.race([stopped, broken]);
  const stopProcesses = options.stopProcessesOnExit === true;
  if (typeof why === "string") {
    log.info(`stopping after ${why}; processes ${stopProcesses ? "are stopped" : "go on"}`);
  } else {
    // What runs here is not at fault; a service manager starts the next agent, and that takes it over.
    log.fatal({ err: why }, "the agent is broken and ends; its processes go on");
    terminal.exitCode = 1;
  }
  await agent.stop({ stopProcesses: stopProcesses && typeof why === "string" });
}

function describeNode(options: AgentCommandOptions): NodeDescription {
  const found = discoverCapacity();
  const { name, region, zone, cpu, memory, deviceClass = "", deviceIds: ids } = options;
  const deviceIds = ids === undefined ? [] : ids.split(",").filter((id) => id !== "");
  if ((deviceClass === "") !== (deviceIds.length === 0)) {
    throw new UserError("bad-usage", "--device-class and --device-ids come together; give both.");
  }
  const labels = Object.fromEntries((options.label ?? []).map(readLabel));
  return {
    name,
    region,
    zone,
    cpuMillis: cpu === undefined ? found.cpuMillis : readCpu(cpu),
    memoryMiB: memory === undefined ? found.memoryMiB : readMemory(memory),
    deviceClass,
    deviceIds,
    labels,
  };
}

function readCpu(text: string): number {
  const millis = parseCpu(text);
  if (millis !== undefined) return millis;
  throw new UserError("bad-usage", `--cpu: found "${text}", expected ${CPU_FORM}.`);
}

function readMemory(text: string): number {
  const mib = parseMemory(text);
  if (mib !== undefined) return mib;
  throw new UserError("bad-usage", `--memory: found "${text}", expected ${MEMORY_FORM}.`);
}

function readLabel(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UserError("bad-usage", `--label: found "${text}", expected key=value.`);
}

function readServers(text: string | undefined): readonly URL[] {
  const words = (text ?? "")
    .split(",")
    .flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));
  if (words.length === 0) {
    throw new UserError("bad-usage", "Say where the plane is: --server http://127.0.0.1:6900.");
  }
  return words.map((word) => {
    try {
      const url = new URL(word.includes("://") ? word : `http://${word}`);
      if (url.protocol === "http:" || url.protocol === "https:") return url;
    } catch {
      // Falls through: whatever the parser has against it, the person needs to see the expected form.
    }
    throw new UserError(
      "bad-usage",
      `--server: found "${word}", expected an address such as http://127.0.0.1:6900.`,
    );
  });
}

function readCredentials(options: AgentCommandOptions): Credentials {
  const tokenFile = options.tokenFile ?? process.env["BERTH_TOKEN_FILE"];
  const caFile = options.caFile ?? process.env["BERTH_CA_FILE"];
  return {
    ...(tokenFile === undefined ? {} : { token: readInput(tokenFile).trim() }),
    ...(caFile === undefined ? {} : { ca: readInput(caFile) }),
  };
}

const append = (value: string, before: readonly string[]): readonly string[] => [...before, value];
