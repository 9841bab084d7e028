/**
 * Three planes on one log, each a process under an address that stays its own when it is started
 * again.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../../src/serve/free-port.ts";
import { PlaneProcess } from "../path/plane-process.ts";
import { sharedNowMs } from "../measure/shared-clock.ts";
import { ClusterStuck, type ClusterTask } from "./cluster-task.ts";

/** As many as members of etcd, so that either side loses one alike. */
const PLANES = 3;
/** Times are noted as they come; this only says how soon it is gone on. */
const LOOK_MS = 5;

/** A plane has said that it leads. */
export interface Lead {
  readonly plane: number;
  readonly atMs: number;
}

export class ClusterPlanes {
  readonly leads: Lead[] = [];
  private readonly task: ClusterTask;
  private readonly ports: readonly number[];
  private readonly planes = new Map<number, PlaneProcess>();

  private constructor(task: ClusterTask, ports: readonly number[]) {
    this.task = task;
    this.ports = ports;
  }

  /** `task.store` is as `berth plane --store` takes it. */
  static async start(task: ClusterTask): Promise<ClusterPlanes> {
    const ports: number[] = [];
    while (ports.length < PLANES) {
      const port = await findFreePort("127.0.0.1");
      if (!ports.includes(port)) ports.push(port);
    }
    const cluster = new ClusterPlanes(task, ports);
    try {
      await Promise.all(ports.map((_, at) => cluster.begin(at)));
      await cluster.untilLed(0);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  get urls(): readonly string[] {
    return this.ports.map((port) => `http://127.0.0.1:${port}`);
  }

  get leader(): number {
    return this.leads.at(-1)?.plane ?? 0;
  }

  urlOf(plane: number): string {
    return this.urls[plane] ?? "";
  }

  /** Resolves once it serves. */
  async begin(at: number): Promise<void> {
    const { store, folder, leaseSeconds, profile } = this.task;
    const name = `plane-${at}`;
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    const onLead = (): void => void this.leads.push({ plane: at, atMs: sharedNowMs() });
    const among = { name, port: this.ports[at] ?? 0, leaseSeconds, onLead };
    const of = { store, folder: own, schedulers: 1, records: false, profile, among };
    this.planes.set(at, await PlaneProcess.start(of));
  }

  kill(at: number): Promise<void> {
    return this.planes.get(at)?.kill() ?? Promise.resolve();
  }

  end(at: number): Promise<void> {
    return this.planes.get(at)?.stop() ?? Promise.resolve();
  }

  /** The next that says that it leads, after so many have. */
  async untilLed(after: number): Promise<Lead> {
    const endMs = sharedNowMs() + this.task.patienceMs;
    for (;;) {
      const lead = this.leads[after];
      if (lead !== undefined) return lead;
      if (sharedNowMs() > endMs) throw new ClusterStuck("No plane has come to lead.");
      await sleep(LOOK_MS);
    }
  }

  /** Nothing of theirs is needed any more but their profiles. */
  async stop(): Promise<void> {
    const isProfiled = this.task.profile !== undefined;
    const planes = [...this.planes.values()];
    await Promise.all(planes.map((plane) => (isProfiled ? plane.stop() : plane.kill())));
  }
}
