/** A plane and agents of several regions as real processes, each of which a test may kill, and ways to look at them. */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../../src/serve/free-port.ts";
import { BuiltBerth, type Ran } from "../bench/a-built-berth.ts";
import { adminHeaders } from "./admin-headers.ts";
import { untilLeasesEndTogether } from "./agent-leases.ts";
import { tryToSignal } from "./chaos/chaos-world.ts";
import { KeptBerth } from "./chaos/kept-berth.ts";
import { removeFolder } from "../builders/remove-folder.ts";

/** Only bounds a hang: what the plane promises is checked by the plane's own clock. */
const PATIENCE_MS = 180_000;

export interface Shown {
  readonly metadata: { readonly name: string };
  readonly status: {
    readonly stage?: string;
    readonly node?: string;
    readonly health?: string;
    readonly budget?: string;
    readonly policyRevision?: string;
    readonly recovery?: {
      readonly reserved: string;
      readonly rooms: readonly string[];
      readonly under?: unknown;
      readonly last?: { readonly took: string; readonly lost: number; readonly missed?: string };
    };
  };
}

export class PlaneAndAgents {
  readonly folder = mkdtempSync(join(tmpdir(), "berth-regions-"));
  private readonly built = new BuiltBerth();
  private readonly kept = new Map<string, KeptBerth>();
  server = "";

  async start(...more: readonly string[]): Promise<void> {
    await this.built.build();
    const port = await findFreePort("127.0.0.1");
    this.server = `http://127.0.0.1:${port}`;
    this.keep("plane", "plane", "--data", this.folder, "--listen", `127.0.0.1:${port}`, ...more);
  }

  async remove(): Promise<void> {
    for (const each of this.kept.values()) each.end();
    await sleep(100);
    for (const pid of this.replicaProcesses()) tryToSignal(pid, "SIGKILL");
    this.built.remove();
    await removeFolder(this.folder);
  }

  /** `entering`: what stands before its command, such as one that hides tools from it. */
  startAgent(
    name: string,
    region: string,
    zone: string,
    drivers = "process",
    entering: readonly string[] = [],
  ): void {
    const place = ["--name", name, "--region", region, "--zone", zone];
    const rest = ["--cpu", "1", "--memory", "1Gi", "--data", this.agentFolder(name)];
    const server = ["--server", this.server, "--drivers", drivers];
    const words = ["agent", ...server, ...place, ...rest, "--stop-processes-on-exit"];
    this.keepBehind(entering, name, words);
  }

  /**
   * Killed, and not started again: what they ran dies by its leash. The leases end within half a renewal, so that both nodes are
   * missed before the replicas of either are given up.
   */
  async killTogether(one: string, other: string): Promise<void> {
    await untilLeasesEndTogether(this.agentFolder(one), this.agentFolder(other));
    for (const name of [one, other]) this.kept.get(name)?.end();
  }

  /** As it is asked to, with all that it runs, so that nothing of it stays on the machine. */
  async stopAgent(name: string): Promise<void> {
    await this.kept.get(name)?.stop();
  }

  private agentFolder(name: string): string {
    return join(this.folder, "agents", name);
  }

  /** The plane ends as it does when it is asked to, and its recording is played again. */
  async stopAndReplay(): Promise<Ran> {
    await this.kept.get("plane")?.stop();
    return this.built.run("replay", this.folder);
  }

  async berth(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await this.run(...args);
    if (code !== 0) throw new Error(`berth ${args.join(" ")}: ${err}${out}`);
    return out;
  }

  run(...args: readonly string[]): Promise<Ran> {
    return this.built.run(...args, "--data", this.folder);
  }

  /** As soon as there is somebody to take it. */
  async apply(text: string): Promise<void> {
    const file = join(this.folder, "applied.yaml");
    writeFileSync(file, text);
    await this.until("the plane", () => this.berth("apply", "-f", file));
  }

  async until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    const endMs = performance.now() + PATIENCE_MS;
    let said = "";
    for (;;) {
      // Nobody may be there to ask yet.
      const seen = await look().catch((error: unknown) => {
        said = String(error);
        return undefined;
      });
      if (seen !== undefined) return seen;
      if (performance.now() > endMs) {
        const log = readFileSync(join(this.folder, "plane.log"), "utf8").slice(-2_000);
        throw new Error(`Waited in vain for ${what}. ${said}\n${log}`);
      }
      await sleep(100);
    }
  }

  async list<T = Shown>(kind: string): Promise<readonly T[]> {
    const signal = AbortSignal.timeout(5_000);
    const headers = adminHeaders(this.folder);
    const answer = await fetch(`${this.server}/apis/berth.dev/v1/${kind}`, { signal, headers });
    return ((await answer.json()) as { readonly items: readonly T[] }).items;
  }

  async recoveryOf(name: string): Promise<Shown["status"]["recovery"]> {
    const workloads = await this.list("workloads");
    return workloads.find(({ metadata }) => metadata.name === name)?.status.recovery;
  }

  async serving(name: string): Promise<readonly Shown[]> {
    const replicas = await this.list("replicas");
    return replicas.filter(
      ({ metadata, status }) => metadata.name.startsWith(`${name}.`) && status.stage === "serving",
    );
  }

  async nodesServing(name: string): Promise<readonly string[]> {
    return (await this.serving(name)).map(({ status }) => status.node ?? "").toSorted();
  }

  async untilReady(nodes: readonly string[]): Promise<void> {
    await this.until(`${nodes.join(" and ")} to be ready`, async () => {
      const ready = (await this.list("nodes")).filter(({ status }) => status.health === "ready");
      const names = ready.map(({ metadata }) => metadata.name);
      return nodes.every((node) => names.includes(node)) ? true : undefined;
    });
  }

  private keep(name: string, ...args: readonly string[]): void {
    this.keepBehind([], name, args);
  }

  private keepBehind(entering: readonly string[], name: string, args: readonly string[]): void {
    const script = join(this.built.folder, "berth.mjs");
    const log = join(this.folder, `${name}.log`);
    const one = new KeptBerth({ script, args, log, entering });
    this.kept.set(name, one);
    one.start();
  }

  /** Whatever runs in our folder and is neither the plane nor an agent. */
  private replicaProcesses(): readonly number[] {
    return readdirSync("/proc")
      .filter((pid) => /^\d+$/.test(pid))
      .filter((pid) => {
        try {
          return readlinkSync(`/proc/${pid}/cwd`).startsWith(join(this.folder, "agents"));
        } catch {
          // It ended meanwhile.
          return false;
        }
      })
      .map(Number);
  }
}

export const regionText = (name: string, ...zones: readonly string[]): string => `---
apiVersion: berth.dev/v1
kind: Region
metadata: { name: ${name} }
spec: { zones: [${zones.join(", ")}] }
`;
