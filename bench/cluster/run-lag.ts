/**
 * Binds replicas at the leader while two planes follow, and tells how far behind followers are,
 * what reads there cost, and how fast the leader still is.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { latenciesOf, rounded } from "../measure/latencies.ts";
import { PartCrew } from "../part/part-crew.ts";
import type { PartProcess } from "../part/part-process.ts";
import { ApiPool } from "../path/api-pool.ts";
import type { FleetStanding } from "../path/play-fleet.ts";
import type { ReplicaTimes, WatchStanding } from "../path/play-watch.ts";
import { PLACE_NODE, PLACE_ZONES, placeTenants, placeWorkloads } from "../place/place-world.ts";
import type { Progress } from "../measure/progress.ts";
import { sharedNowMs } from "../measure/shared-clock.ts";
import { ClusterPlanes } from "./cluster-planes.ts";
import { clusterStore } from "./cluster-store.ts";
import type { LagResult, LagTask } from "./cluster-task.ts";
import { lagsOf } from "./lags.ts";
import type { ReadTimes } from "./play-read.ts";

/** What workloads of `berth bench place` are called before their number. */
const GROUP = "bench";
/** Creates under way at once: enough that the plane always has the next one. */
const CONNECTIONS = 16;
/** Times come from the watchers; this only says how soon the end is noticed. */
const LOOK_MS = 50;

export async function runLag(task: LagTask, progress: Progress): Promise<LagResult> {
  const store = await clusterStore(task);
  const crew = new PartCrew();
  let planes: ClusterPlanes | undefined;
  try {
    planes = await ClusterPlanes.start({ ...task, store: store.where });
    return await new LagRun(task, planes, crew, progress).run();
  } finally {
    await crew.stop();
    await planes?.stop();
    await store.stop();
  }
}

class LagRun {
  private readonly task: LagTask;
  private readonly planes: ClusterPlanes;
  private readonly progress: Progress;
  private readonly fleet: PartProcess;
  private readonly reader: PartProcess;
  /** One for each plane, the leader's first. */
  private readonly watchers: readonly PartProcess[];

  constructor(task: LagTask, planes: ClusterPlanes, crew: PartCrew, progress: Progress) {
    this.task = task;
    this.planes = planes;
    this.progress = progress;
    this.fleet = crew.start("fleet");
    this.reader = crew.start("read");
    this.watchers = planes.urls.map(() => crew.start("watch"));
  }

  async run(): Promise<LagResult> {
    const { task, planes, progress } = this;
    const began = performance.now();
    const url = planes.urlOf(planes.leader);
    const followers = planes.urls.filter((each) => each !== url);
    const led = planes.leads.length;
    const pool = await ApiPool.open(url, CONNECTIONS);
    for (const manifest of placeTenants()) await pool.create(manifest);
    const { nodes } = task;
    const joining = { nodes, zones: PLACE_ZONES, size: PLACE_NODE, answersStops: false };
    await this.fleet.ask("join", { url, task: joining }, progress);
    const watched = [url, ...followers];
    await Promise.all(
      this.watchers.map((watcher, at) => watcher.ask("watch", { url: watched[at] })),
    );
    await this.reader.ask("begin", { urls: followers, path: await this.somePath(pool) });
    const setUpSeconds = rounded((performance.now() - began) / 1_000);
    const firstMs = sharedNowMs();
    await Promise.all([this.create(pool), this.untilAllAreTold()]);
    pool.close();
    const figures = await this.figures(firstMs);
    const leadChanges = planes.leads.length - led;
    return { ...figures, leadChanges, setUpSeconds };
  }

  /** An object that stays as it is. */
  private async somePath(pool: ApiPool): Promise<string> {
    const [tenant] = placeTenants();
    const path = `/apis/${tenant?.apiVersion}/tenants/${tenant?.metadata.name}`;
    await pool.get(path);
    return path;
  }

  private async create(pool: ApiPool): Promise<void> {
    const { each, rate } = this.task;
    const manifests = [...placeWorkloads(this.task)];
    const beganMs = sharedNowMs();
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < manifests.length; at = next++) {
        const dueMs = rate === undefined ? 0 : beganMs + (at * each * 1_000) / rate;
        const earlyMs = dueMs - sharedNowMs();
        if (earlyMs > 0) await sleep(earlyMs);
        const manifest = manifests[at];
        if (manifest !== undefined) await pool.create(manifest);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  }

  /** Or until none was told of anything for so long that none will be. */
  private async untilAllAreTold(): Promise<void> {
    const { replicas, patienceMs } = this.task;
    let heardMs = sharedNowMs();
    for (;;) {
      const standings = await Promise.all(
        this.watchers.map((watcher) => watcher.ask<WatchStanding>("standing", undefined)),
      );
      const bound = Math.min(...standings.map((each) => each.bound[GROUP] ?? 0));
      this.progress(bound, replicas, "replicas bound, and told by all planes");
      const lost = standings.find((each) => each.lost !== "");
      if (lost !== undefined) throw new Error(lost.lost);
      heardMs = Math.max(heardMs, ...standings.map(({ lastMs }) => lastMs));
      if (bound >= replicas || sharedNowMs() - heardMs > patienceMs) return;
      await sleep(LOOK_MS);
    }
  }

  private async figures(firstMs: number): Promise<Omit<LagResult, "leadChanges" | "setUpSeconds">> {
    const reads = await this.reader.ask<ReadTimes>("stop", undefined);
    const { longestGapMs } = await this.fleet.ask<FleetStanding>("standing", undefined);
    const [leader, ...followers] = await Promise.all(
      this.watchers.map((each) => each.ask<ReplicaTimes>("replicas", { group: GROUP })),
    );
    const told = leader ?? { replicas: [], boundMs: new Float64Array() };
    const seconds = Math.max((told.boundMs.at(-1) ?? firstMs) - firstMs, 1) / 1_000;
    return {
      lag: latenciesOf(lagsOf(told, followers)),
      freshRead: latenciesOf(reads.freshMs),
      anyRead: latenciesOf(reads.anyMs),
      reads: reads.freshMs.length + reads.anyMs.length,
      readFailures: reads.failures,
      bindsPerSecond: Math.round(told.replicas.length / seconds),
      bound: Math.min(told.replicas.length, ...followers.map((each) => each.replicas.length)),
      wanted: this.task.replicas,
      seconds: rounded(seconds),
      leaseGapMs: Math.round(longestGapMs),
    };
  }
}
