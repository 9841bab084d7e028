/**
 * A small real fleet on this machine: `berth plane`, an agent for each node, and a service whose
 * replicas are processes that answer probes. Nodes are lost as in life: by a kill.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { killNode, runningOn } from "../../src/agent/process/kill-node.ts";
import { API_VERSION } from "../../src/api/group-version.ts";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import type { AnyObject } from "../../src/core/model/objects.ts";
import { parseFleet } from "../../src/fleet/fleet-file.ts";
import type { Fleet } from "../../src/fleet/fleet.ts";
import { keptInFile } from "../../src/host/backup/open-kept-file.ts";
import { KeptFold } from "../../src/host/check/kept-fold.ts";
import { loadSqlite } from "../../src/host/store/sqlite-database.ts";
import { isRunning } from "../../src/shell/process-identity.ts";
import { tenantManifests, workloadManifest } from "../measure/manifests.ts";
import { endWithUs } from "../part/end-with-us.ts";
import { ApiPool } from "../path/api-pool.ts";
import { PlaneProcess } from "../path/plane-process.ts";

const REGION = "here";
const ZONES = ["here-a", "here-b", "here-c"];
const NODES_A_ZONE = 2;
const TENANT = "shop";
const SERVICE = "web";
export const REPLICAS = 6;

export const NODES: readonly { readonly name: string; readonly zone: string }[] = ZONES.flatMap(
  (zone) => Array.from({ length: NODES_A_ZONE }, (_, at) => ({ name: `${zone}-${at + 1}`, zone })),
);

/** A loss takes some twenty seconds; this only bounds a hang. */
const PATIENCE_MS = 240_000;
const LOOK_MS = 200;
/** Ends of processes are known as exactly as this. */
const END_LOOK_MS = 20;
/** Longer than the service takes to stop. */
const GRACE_MS = 15_000;

/** A whole server in a few lines; it stops when it is asked to. */
const SERVER = `
const { createServer } = require("node:http");
const server = createServer((_, response) => response.end("ok"));
server.listen(Number(process.env.PORT_HTTP), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
`;

export class RealFleet {
  private readonly folder: string;
  private readonly plane: PlaneProcess;
  private readonly agents = new Map<string, ChildProcess>();
  private readonly endedMs = new Map<string, number>();
  private readonly watches: Promise<void>[] = [];
  private planeAheadMs = 0;
  private isOver = false;
  private readonly killAll = (): void => {
    for (const { name } of NODES) {
      this.agents.get(name)?.kill("SIGKILL");
      killNode(this.folderOf(name));
    }
  };

  private constructor(folder: string, plane: PlaneProcess) {
    this.folder = folder;
    this.plane = plane;
    // Before the folder is removed, which says what the agents ran.
    process.prependListener("exit", this.killAll);
  }

  static async start(folder: string): Promise<RealFleet> {
    mkdirSync(folder, { recursive: true });
    const of = { folder, store: "sqlite", schedulers: 1, records: false, profile: undefined };
    return new RealFleet(folder, await PlaneProcess.start(of));
  }

  /** Resolves when all replicas serve. */
  async fill(): Promise<void> {
    const api = await ApiPool.open(this.plane.url, 1);
    try {
      await api.create({
        apiVersion: API_VERSION,
        kind: "Region",
        metadata: { name: REGION },
        spec: { zones: ZONES },
      });
      for (const each of tenantManifests(TENANT)) await api.create(each);
      for (const { name, zone } of NODES) this.startAgent(name, zone);
      await this.until(
        "every node is ready",
        ({ objects }) => countReady(objects) === NODES.length,
      );
      await api.create(serviceManifest());
    } finally {
      api.close();
    }
    await this.until("all replicas serve", ({ objects }) => servingOn(objects).length === REPLICAS);
  }

  async read(): Promise<Fleet> {
    const address = `${this.plane.url}/fleet`;
    const askedMs = performance.now();
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { source, objects, atMs = 0 } = parseFleet(await answer.text(), address);
    this.planeAheadMs = atMs - (askedMs + performance.now()) / 2;
    return { source, objects };
  }

  /** On the clock of the plane, to some milliseconds: as of the last look at the fleet. */
  get nowMs(): number {
    return Math.round(performance.now() + this.planeAheadMs);
  }

  /** All at once. Returns the moment. */
  async lose(nodes: readonly string[], how: { readonly withProcesses: boolean }): Promise<number> {
    const running = new Map(nodes.map((name) => [name, runningOn(this.folderOf(name))]));
    const gone = nodes.map((name) => this.goneOf(name));
    const lostMs = this.nowMs;
    for (const name of nodes) this.agents.get(name)?.kill("SIGKILL");
    await Promise.all(gone);
    // The agent is gone first: nothing new is started meanwhile.
    if (how.withProcesses) for (const name of nodes) killNode(this.folderOf(name));
    for (const [name, processes] of running) {
      this.watches.push(
        this.noteEnd(name, () => processes.some(({ leader }) => isRunning(leader))),
      );
    }
    return lostMs;
  }

  /** Resolves when all replicas serve on other nodes, and the processes of the lost have ended. */
  async untilRecovered(lost: readonly string[]): Promise<ReadonlyMap<string, number>> {
    await this.until("as many replicas serve as before", ({ objects }) => {
      const alive = servingOn(objects).filter((node) => !lost.includes(node));
      return alive.length === REPLICAS;
    });
    await Promise.all(this.watches);
    return this.endedMs;
  }

  /** Everything of the log, in order; the fleet is over then. */
  async end(): Promise<readonly Commit[]> {
    await this.stop();
    const commits: Commit[] = [];
    const note = {
      begin: () => undefined,
      afterCommit: (commit: Commit) => void commits.push(commit),
      atEnd: () => undefined,
      counts: () => ({}),
    };
    const fold = new KeptFold([note]);
    for (const part of keptInFile(await loadSqlite(), join(this.folder, "log.db"))) fold.add(part);
    fold.finish();
    if (fold.ledger === undefined) throw new Error("The log of the plane cannot be read.");
    return commits;
  }

  /** In an orderly way: what the agents still run is stopped. */
  async stop(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    const gone = [...this.agents.keys()].map((name) => this.goneOf(name));
    for (const agent of this.agents.values()) agent.kill("SIGTERM");
    await Promise.race([Promise.all(gone), sleep(GRACE_MS, undefined, { ref: false })]);
    this.killAll();
    process.off("exit", this.killAll);
    await this.plane.stop();
  }

  private startAgent(name: string, zone: string): void {
    const place = ["--name", name, "--region", REGION, "--zone", zone];
    const size = ["--cpu", "2", "--memory", "1Gi", "--address", "127.0.0.1"];
    const files = [
      "--data",
      this.folderOf(name),
      "--stop-processes-on-exit",
      "--drivers",
      "process",
    ];
    const words = ["agent", "--server", this.plane.url, ...place, ...size, ...files];
    const args = [...process.execArgv, process.argv[1] ?? "", ...words, "--log-level", "error"];
    const agent = spawn(process.execPath, args, { stdio: ["ignore", "ignore", 2] });
    endWithUs(agent);
    this.agents.set(name, agent);
  }

  private folderOf(node: string): string {
    return join(this.folder, "agents", node);
  }

  private goneOf(node: string): Promise<unknown> {
    const agent = this.agents.get(node);
    if (agent === undefined || agent.exitCode !== null || agent.signalCode !== null) {
      return Promise.resolve();
    }
    return new Promise((resolve) => agent.once("exit", resolve));
  }

  private async noteEnd(node: string, isThere: () => boolean): Promise<void> {
    while (isThere() && !this.isOver) await sleep(END_LOOK_MS);
    this.endedMs.set(node, this.nowMs);
  }

  private async until(what: string, isSo: (fleet: Fleet) => boolean): Promise<void> {
    const endMs = performance.now() + PATIENCE_MS;
    while (!isSo(await this.read())) {
      if (performance.now() > endMs) throw new Error(`Waited in vain until ${what}.`);
      await sleep(LOOK_MS);
    }
  }
}

/** The node of each replica that serves. */
export const servingOn = (objects: readonly AnyObject[]): readonly string[] =>
  objects.flatMap((object) =>
    object.kind === "Replica" && object.status.stage === "serving"
      ? (object.status.node ?? "")
      : [],
  );

const countReady = (objects: readonly AnyObject[]): number =>
  objects.filter((object) => object.kind === "Node" && object.status.health === "ready").length;

/** Two on a node at most: what a zone loses finds room on the others. */
const serviceManifest = () =>
  workloadManifest(SERVICE, {
    tenant: TENANT,
    replicas: REPLICAS,
    resources: { cpu: "250m", memory: "128Mi" },
    more: {
      type: "service",
      placement: { maxPerNode: 2 },
      run: { command: [process.execPath, "--eval", SERVER], ports: ["http"] },
      probes: { ready: { http: { port: "http", path: "/" } } },
      stopGrace: "3s",
    },
  });
