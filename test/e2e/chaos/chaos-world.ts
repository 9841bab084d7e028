/**
 * A plane and four agents as real processes: one of them in a network of its own, behind a proxy, and one whose wall clock
 * jumps, in a time namespace whose other clock is days off. Where the machine lets us have no namespaces, the proxy cuts.
 */
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../../../src/serve/free-port.ts";
import {
  ensureOwnTokens,
  ownTokensIn,
  writeAgentToken,
} from "../../../src/cli/client/own-tokens.ts";
import { BuiltBerth } from "../../bench/a-built-berth.ts";
import { adminHeaders } from "../admin-headers.ts";
import { FaultyProxy } from "./faulty-proxy.ts";
import { jumpingClock } from "./jumping-clock.ts";
import { KeptBerth } from "./kept-berth.ts";
import { canMakeNamespaces, OwnNetwork } from "./own-network.ts";
import { type Incarnation, readIncarnations } from "./read-incarnations.ts";
import { SlowDisk } from "./slow-disk.ts";
import { removeFolder } from "../../builders/remove-folder.ts";

/** Longer than the two minutes that a region in doubt is given, and than anything takes on a busy machine. */
const PATIENCE_MS = 480_000;
/** Thirty heartbeats, of which a busy machine delays some: whoever was silent for longer may be gone, and its number another's. */
const FRESH_MS = 3_000;

export interface ShownNode {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly health: string; readonly session: number };
}

export interface ShownReplica {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly status: {
    readonly stage: string;
    readonly incarnation: number;
    readonly node?: string;
    readonly address?: { readonly host: string; readonly ports: { readonly http: number } };
  };
}

/** Ten days: the clock that leases are counted by differs from everybody else's by more than any lease. */
const OTHER_CLOCK = ["unshare", "--time", "--boottime", "864000"] as const;

/** Where people may do nothing special, the rest of the chaos is enough; where it is the gate that runs, it is not. */
const MUST_HAVE_ALL = process.getuid?.() === 0 || process.env["CI"] !== undefined;

/** The two that are lost in turn are the two with a device: what needs one has to move from one to the other. */
export const NODES = ["n1", "n2", "n3", "n4"] as const;
const WITH_DEVICE: ReadonlySet<string> = new Set(["n1", "n2"]);
/** Started by the test, once the first has the one that needs a device. */
const LATE = "n2";

interface Surroundings {
  readonly server?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly entering?: readonly string[];
}

export class ChaosWorld {
  readonly folder = mkdtempSync(join(tmpdir(), "berth-chaos-"));
  readonly incarnations = join(this.folder, "lives");
  private readonly built = new BuiltBerth();
  readonly agents = new Map<string, KeptBerth>();
  url = "";
  /** Undefined: there can be none here. */
  network: OwnNetwork | undefined;
  disk: SlowDisk | undefined;
  private kept: { readonly plane: KeptBerth; readonly proxy: FaultyProxy } | undefined;

  get headers(): { readonly authorization: string } {
    return adminHeaders(this.folder);
  }
  get plane(): KeptBerth {
    return this.up.plane;
  }
  get proxy(): FaultyProxy {
    return this.up.proxy;
  }

  async start(): Promise<void> {
    await this.built.build();
    mkdirSync(this.incarnations);
    ensureOwnTokens(this.folder);
    const port = await findFreePort("127.0.0.1");
    this.url = `http://127.0.0.1:${port}`;
    const listen = `127.0.0.1:${port}`;
    const plane = this.keep("plane", [
      "plane",
      "--data",
      this.folder,
      "--listen",
      listen,
      "--schedulers",
      "2",
    ]);
    const proxy = new FaultyProxy({ host: "127.0.0.1", port });
    this.kept = { plane, proxy };
    plane.start();
    const throughProxy = await proxy.listen();
    await this.takePrivileges(proxy);
    const { network } = this;
    const kinds: Readonly<Record<string, Surroundings>> = {
      n1: network
        ? { server: network.server, entering: network.entering }
        : { server: throughProxy },
      n4: {
        env: jumpingClock(join(this.folder, "jumping-clock.mjs")),
        ...(network ? { entering: OTHER_CLOCK } : {}),
      },
    };
    for (const name of NODES) {
      const { server = this.url, ...how } = kinds[name] ?? {};
      const agent = this.keep(name, this.agentArguments(name, server), how);
      this.agents.set(name, agent);
      if (name !== LATE) agent.start();
    }
  }

  /** What only root may do, and only some kernels let it. */
  private async takePrivileges(proxy: FaultyProxy): Promise<void> {
    if (MUST_HAVE_ALL || canMakeNamespaces()) {
      this.network = new OwnNetwork(this.folder);
      await proxy.listenAt(this.network.outward);
      await this.network.connect();
    }
    const disk = new SlowDisk(this.folder);
    if (disk.prepare()) this.disk = disk;
    process.stdout.write(
      `chaos: ${this.network ? "" : "no "}namespaces, ${this.disk ? "a" : "no"} slow disk\n`,
    );
  }

  /** No packet gets through, or, where there are no namespaces, no byte. */
  cut(): void {
    if (this.network === undefined) this.proxy.cut();
    else this.network.cut();
  }

  heal(): void {
    if (this.network === undefined) this.proxy.heal();
    else this.network.heal();
  }

  /** How often something was held back or lost by a cut. */
  get cutOff(): number {
    return this.network?.lost ?? this.proxy.held;
  }

  /** What a replica answers, wherever it is; undefined: nothing. */
  async ask({ host, ports }: NonNullable<ShownReplica["status"]["address"]>): Promise<unknown> {
    try {
      if (this.network?.has(host) === true) return await this.network.ask(host, ports.http);
      return await (await fetch(`http://${host}:${ports.http}/`)).json();
    } catch {
      return undefined;
    }
  }

  /** Agents first: they stop what they run, and what they stop can still be told. */
  async stop(): Promise<void> {
    await Promise.all([...this.agents.values()].map((agent) => agent.stop()));
    await this.plane.stop();
    this.proxy.close();
  }

  /** Whatever became of the test. */
  async remove(): Promise<void> {
    for (const one of [this.kept?.plane, ...this.agents.values()]) one?.end();
    this.kept?.proxy.close();
    this.network?.remove();
    this.disk?.remove();
    for (const { pid } of this.alive()) tryToSignal(pid, "SIGKILL");
    this.built.remove();
    await removeFolder(this.folder);
  }

  run(...args: string[]): ReturnType<BuiltBerth["run"]> {
    return this.built.run(...args);
  }

  /** Undefined while the plane cannot be asked. */
  async list<T>(kind: string): Promise<readonly T[] | undefined> {
    try {
      const signal = AbortSignal.timeout(5_000);
      const { headers } = this;
      const response = await fetch(`${this.url}/apis/berth.dev/v1/${kind}`, { signal, headers });
      return ((await response.json()) as { readonly items?: readonly T[] }).items;
    } catch {
      return undefined;
    }
  }

  /** Processes of replicas that have just said that they are alive. */
  alive(): readonly Incarnation[] {
    const nowMs = Number(process.hrtime.bigint() / 1_000_000n);
    return readIncarnations(this.incarnations).filter(({ toMs }) => nowMs - toMs < FRESH_MS);
  }

  async until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const seen = await look();
      if (seen !== undefined) return seen;
      if (performance.now() > endMs)
        throw new Error(`Waited in vain for ${what}.\n${this.story()}`);
      await sleep(100);
    }
  }

  async untilFenced(node: string): Promise<void> {
    await this.until(`${node} to be fenced`, async () => {
      const nodes = await this.list<ShownNode>("nodes");
      const health = nodes?.find(({ metadata }) => metadata.name === node)?.status?.health;
      return health === "fenced" ? true : undefined;
    });
  }

  private get up(): NonNullable<ChaosWorld["kept"]> {
    if (this.kept === undefined) throw new Error("The world has not been started.");
    return this.kept;
  }

  private keep(
    name: string,
    args: readonly string[],
    how: Omit<Surroundings, "server"> = {},
  ): KeptBerth {
    const script = join(this.built.folder, "berth.mjs");
    return new KeptBerth({ script, args, log: join(this.folder, `${name}.log`), ...how });
  }

  agentFolder(name: string): string {
    return join(this.folder, "agents", name);
  }

  private agentArguments(name: string, server: string): readonly string[] {
    const device = WITH_DEVICE.has(name) ? ["--device-class", "gpu", "--device-ids", "gpu-0"] : [];
    const place = ["--name", name, "--region", "eu", "--zone", "eu-a"];
    // Through a proxy an agent does not see that the plane is its own user's, so it is told its token.
    const own = this.agentFolder(name);
    const devices = device.length === 0 ? {} : { devices: { gpu: 1 } };
    const size = { cpuMillis: 4_000, memoryMiB: 4_096, ...devices };
    const approved = { ...size, region: "eu", zone: "eu-a" };
    const token = writeAgentToken(ownTokensIn(this.folder).list, own, { node: name, approved });
    const files = ["--data", own, "--token-file", token, "--stop-processes-on-exit"];
    const capacity = ["--cpu", "4", "--memory", "4Gi", ...device];
    const drivers = ["--drivers", "process"];
    return ["agent", "--server", server, ...place, ...capacity, ...files, ...drivers];
  }

  /** The end of what everybody has said, for whoever has to find out why. */
  private story(): string {
    return ["plane", ...NODES]
      .map((name) => {
        const lines = readFileSync(join(this.folder, `${name}.log`), "utf8").split("\n");
        return `--- ${name}\n${lines.slice(-15).join("\n")}`;
      })
      .join("\n");
  }
}

export function tryToSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It went by itself meanwhile.
  }
}
