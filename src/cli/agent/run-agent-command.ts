/**
 * What `berth agent` does once its options are understood: runs an agent, and says how it ended.
 */
import { EventEmitter, once } from "node:events";
import { CannotRunError } from "../../shell/cannot-run-error.ts";
import { runAgent } from "../../agent/run-agent.ts";
import type { AgentCommandOptions } from "../commands/agent.ts";
import { closeInherited } from "../../shell/close-inherited.ts";
import { UserError } from "../../shell/errors.ts";
import { createLog } from "../line-log.ts";
import type { Terminal } from "../main.ts";
import { onHangup } from "../../serve/on-hangup.ts";
import { AgentCredentials } from "./agent-credentials.ts";
import {
  agentFolder,
  credentialFiles,
  describeNode,
  readDrivers,
  readImageSettings,
  readReadable,
  readServers,
  readSize,
} from "./agent-options.ts";
import { certified, hasCertificate } from "./certified.ts";
import { ownAgentToken } from "./own-agent-token.ts";

export async function runAgentCommand(
  options: AgentCommandOptions,
  terminal: Terminal,
  stopped: Promise<string>,
): Promise<void> {
  const node = describeNode(options);
  const servers = readServers(options.server ?? process.env["BERTH_SERVER"]);
  const folder = agentFolder(options);
  const allowed = readDrivers(options.drivers) ?? "by-machine";
  const readable = readReadable(options.readable);
  const images = readImageSettings(options);
  const diskBytes = readSize(options.disk, "--disk");
  closeInherited();
  const log = createLog(options.logLevel ?? "info");
  const files = credentialFiles(options);
  const note = (message: string): void => log.info(message);
  const findToken = (): string | undefined => ownAgentToken({ node, servers, folder });
  const isCertified = options.bootstrapTokenFile !== undefined || hasCertificate(folder);
  const base = new AgentCredentials(isCertified ? files : { ...files, findToken }, note);
  const ignoreHangup = onHangup(() => base.reloadNow());
  const certificate = isCertified
    ? await certified({ node, servers, folder, base, note }, stopped)
    : undefined;
  const credentials = certificate ?? base;
  const breaking = new EventEmitter();
  const broken = once(breaking, "broken").then(([error]: unknown[]) => ({ error }));
  const agent = await runAgent({
    node,
    servers,
    folder,
    credentials,
    allowed,
    readable,
    images,
    diskBytes,
    ...(options.address === undefined ? {} : { address: options.address }),
    note,
    onBroken: (error) => void breaking.emit("broken", error),
  }).catch((error: unknown) => {
    if (error instanceof CannotRunError) throw new UserError("bad-usage", error.message);
    throw error;
  });
  log.info(
    { node: node.name, folder, servers: servers.map(({ origin }) => origin) },
    "agent started",
  );
  const why = await Promise.race([stopped, broken]);
  const stopProcesses = options.stopProcessesOnExit === true;
  if (typeof why === "string") {
    log.info(`stopping after ${why}; replicas ${stopProcesses ? "are stopped" : "keep running"}`);
  } else {
    // What runs here is not at fault; a service manager starts the next agent, and that takes it
    // over.
    log.fatal({ err: why.error }, "the agent failed and exits; its replicas keep running");
    terminal.exitCode = 1;
  }
  await agent.stop({ stopProcesses: stopProcesses && typeof why === "string" });
  ignoreHangup();
  await certificate?.close();
  base.close();
}
