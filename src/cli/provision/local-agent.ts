/**
 * The agent of a machine that is made believe here: it ends with its plane, and is started again
 * when it ends by itself.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "../../shell/private-folder.ts";
import { LOG_BYTES, rotateLog } from "../../agent/logs/rotate-log.ts";
import type { ProvisionRequest } from "../../host/provision/provision-protocol.ts";
import { TiedProcess } from "../../host/tied-process.ts";
import { RestartPause } from "../up/restart-pause.ts";

/** What it runs is asked to stop first, and most of that takes a few seconds. */
const STOP_GRACE_MS = 10_000;

export interface LocalAgentOf {
  readonly request: ProvisionRequest;
  /** Its own, with what it runs. */
  readonly folder: string;
  /** How this program is started. */
  readonly berth: readonly string[];
  readonly onNote: (sentence: string) => void;
}

export class LocalAgent {
  private readonly of: LocalAgentOf;
  private readonly process: TiedProcess;
  private readonly pause = new RestartPause();
  private restart: NodeJS.Timeout | undefined;
  private starting: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(of: LocalAgentOf) {
    this.of = of;
    makeDataFolder(of.folder);
    this.process = new TiedProcess({
      command: [...of.berth, ...agentWords(of)],
      logFile: join(of.folder, "agent.log"),
      stopGraceMs: STOP_GRACE_MS,
      onEnded: () => this.ended(),
    });
  }

  get uid(): string {
    return this.of.request.node.uid;
  }

  start(): void {
    this.pause.started();
    this.starting = this.tryToStart();
  }

  /** With what it runs; resolves when it is gone. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.restart);
    // Before it has reported its id, it cannot be stopped.
    await this.starting;
    await this.process.stop();
  }

  /** As a crash: what it runs goes on, and the next agent takes it over. */
  async kill(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.restart);
    await this.starting;
    await this.process.kill();
  }

  /** Nothing of the machine is left. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.of.folder, { recursive: true, force: true });
  }

  private async tryToStart(): Promise<void> {
    const { request, onNote } = this.of;
    try {
      await rotateLog(this.process.logFile, LOG_BYTES).catch(() => undefined);
      await this.process.start();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      onNote(`Cannot start the agent of ${request.node.name}: ${why}.`);
      this.ended();
    }
  }

  private ended(): void {
    if (this.isStopping) return;
    const { name } = this.of.request.node;
    this.of.onNote(`The agent of ${name} exited; restarting it.`);
    this.restart = setTimeout(() => this.start(), this.pause.nextMs());
  }
}

function agentWords({ request, folder }: LocalAgentOf): readonly string[] {
  const { node, server, joinToken } = request;
  const { name, region, zone, capacity, devices } = node;
  const place = ["--name", name, "--region", region, "--zone", zone];
  const size = ["--cpu", `${capacity.cpuMillis}m`, "--memory", `${capacity.memoryMiB}Mi`];
  // An agent introduces devices of one class; the node stands in the log already, with all of them.
  const [first] = devices;
  const ids = devices.filter((each) => each.class === first?.class).flatMap((each) => each.ids);
  const units =
    first === undefined ? [] : ["--device-class", first.class, "--device-ids", ids.join(",")];
  const files = ["--data", folder, ...tokenWords(folder, joinToken)];
  const rest = ["--drivers", "process", END_WITH_IT];
  return ["agent", "--server", server, ...place, ...size, ...units, ...files, ...rest];
}

/** Its simulated agents end with the plane. */
const END_WITH_IT = "--stop-processes-on-exit";

/** In a file that only its owner reads: arguments are visible in process lists. */
function tokenWords(folder: string, token: string | undefined): readonly string[] {
  if (token === undefined) return [];
  const file = join(folder, "token");
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return ["--token-file", file];
}
