/** A real plane behind a real socket, and the command line that talks to it, for tests of commands. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { main, type Terminal } from "../../src/cli/main.ts";
import { PlaneCredentials } from "../../src/serve/plane-credentials.ts";
import { type ServedApi, serveApi } from "../../src/serve/serve-api.ts";
import type { IntentOf } from "../../src/core/protocol/command.ts";
import { operationId } from "../../src/core/model/ids.ts";
import type { Replica } from "../../src/core/model/objects.ts";
import { createHostClock, type HostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import type { LogStore } from "../../src/host/store/log-store.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { removeFolder } from "../builders/remove-folder.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Far longer than anything here takes on the slowest machine; it only bounds a hang. */
const PATIENCE_MS = 120_000;

const SPOKEN_EVERY_MS = 1_000;

/** A node that was spoken for once is missed after eight seconds; commands of a test may take longer on a slow machine. */
const TIMES_SLOWER = 8;

/** A machine that stands still for minutes, as one that is moved does, is no silence of the node's. */
const STEP_MOST_MS = 250;

function slowClock(): HostClock {
  const real = createHostClock();
  let nowMs = real.nowMs();
  let readMs = nowMs;
  return {
    nowMs: () => {
      const passedMs = real.nowMs() - readMs;
      readMs += passedMs;
      nowMs += Math.min(passedMs / TIMES_SLOWER, STEP_MOST_MS);
      return Math.floor(nowMs);
    },
  };
}

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** What most tests begin with: two tenants, one with quota, and a node that its agent speaks for. */
export const FURNITURE = `
apiVersion: berth.dev/v1
kind: Tenant
metadata: { name: shop }
---
apiVersion: berth.dev/v1
kind: Quota
metadata: { name: default, namespace: shop }
spec: { limit: { cpu: 4, memory: 4Gi } }
---
apiVersion: berth.dev/v1
kind: Tenant
metadata: { name: bank }
---
apiVersion: berth.dev/v1
kind: Node
metadata: { name: n1 }
spec: { region: eu, zone: eu-a, capacity: { cpu: 4, memory: 4Gi } }
`;

export const workloadText = (name: string, more = "", namespace = "shop"): string => `
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  replicas: 2
  resources: { cpu: 500m, memory: 256Mi }
  run: { command: [sleep, "60"] }
${more}`;

export class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), "berth-cli-"));
  readonly plane: Plane;
  private readonly clock: HostClock;
  private api: ServedApi;
  private seq = 0;
  private readonly speaking = new Map<string, NodeJS.Timeout>();

  private constructor(plane: Plane, clock: HostClock, api: ServedApi) {
    this.plane = plane;
    this.clock = clock;
    this.api = api;
  }

  /** With a clock of its own where a test speaks for its nodes all the time, and waits for what takes seconds. */
  static async start(
    clock: HostClock = slowClock(),
    store: LogStore = new MemoryLog(),
  ): Promise<CommandLine> {
    const plane = await Plane.open({ store, clock });
    return new CommandLine(plane, clock, await served(plane, clock, 0));
  }

  get url(): string {
    return this.api.url;
  }

  async stop(): Promise<void> {
    for (const node of this.speaking.keys()) this.fallSilent(node);
    await this.api.close();
    await this.plane.close();
    await removeFolder(this.folder);
  }

  /** Nobody listens any more; the plane itself goes on. */
  async goAway(): Promise<void> {
    await this.api.close();
  }

  async comeBack(port: number): Promise<void> {
    this.api = await served(this.plane, this.clock, port);
  }

  /** Runs a command against this plane. */
  async berth(...args: string[]): Promise<Ran> {
    return runCommand([...args, "--server", this.url]);
  }

  /** Like `berth`, for what must go well. */
  async must(...args: string[]): Promise<string> {
    const { code, out, err } = await this.berth(...args);
    if (code !== 0) throw new Error(`berth ${args.join(" ")} left with ${code}: ${err}`);
    return out;
  }

  write(name: string, text: string): string {
    const file = join(this.folder, name);
    writeFileSync(file, text);
    return file;
  }

  async furnish(): Promise<void> {
    await this.must("apply", "-f", this.write("furniture.yaml", FURNITURE));
    await this.lease("n1");
  }

  /** Speaks for the node, as its agent would. */
  async lease(node: string): Promise<void> {
    this.seq += 1;
    const operation = operationId(`lease/${node}/1.${this.seq}`);
    const intent = { kind: "lease", operation, node, session: 1, seq: this.seq, kept: [] } as const;
    await this.plane.submit(intent, { role: "agent", name: `agent:${node}` });
  }

  /** Speaks for the node until it is told to fall silent, so that its test may run in real time. */
  async speakFor(node: string): Promise<void> {
    await this.lease(node);
    const spoken = setInterval(() => void this.lease(node), SPOKEN_EVERY_MS);
    this.speaking.set(node, spoken);
  }

  fallSilent(node: string): void {
    clearInterval(this.speaking.get(node));
    this.speaking.delete(node);
  }

  /** Brings every replica that is bound now, or will be soon, to a stage. */
  async report(count: number, stage: IntentOf<"report">["stage"]): Promise<void> {
    const bound = await this.until(`${count} bound replicas`, () => {
      const all = [...this.plane.objects.all("Replica").values()];
      const found = all.filter(({ status }) => status.stage === "bound");
      return found.length === count ? found : undefined;
    });
    for (const replica of bound) {
      await this.reportOne(replica, "starting");
      await this.reportOne(replica, stage);
    }
  }

  async reportOne(
    { key, status }: Replica,
    stage: IntentOf<"report">["stage"],
    how: Pick<IntentOf<"report">, "reason"> = {},
  ): Promise<void> {
    const { incarnation, node = "", session } = status;
    this.seq += 1;
    const operation = operationId(`report/${key}/${this.seq}`);
    const of = { replica: key, incarnation, node, session, stage, ...how };
    const intent = { kind: "report", operation, ...of } as const;
    await this.plane.submit(intent, { role: "agent", name: `agent:${node}` });
  }

  async until<T>(what: string, look: () => T | undefined): Promise<T> {
    const endMs = Date.now() + PATIENCE_MS;
    for (let seen = look(); ; seen = look()) {
      if (seen !== undefined) return seen;
      if (Date.now() > endMs) throw new Error(`Waited in vain for ${what}.`);
      await sleep(5);
    }
  }
}

function served(plane: Plane, clock: HostClock, port: number): Promise<ServedApi> {
  const address = { host: "127.0.0.1", port };
  return serveApi({ plane, clock, log: silent, address, credentials: new PlaneCredentials({}) });
}

export async function runCommand(args: readonly string[]): Promise<Ran> {
  const written = { out: "", err: "" };
  const terminal: Terminal = {
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    exitCode: 0,
  };
  const code = await main(args, terminal);
  return { code, ...written };
}
