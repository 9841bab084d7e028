/**
 * Takes the leader away, again and again, by a kill and by an orderly stop, while a client writes
 * through all planes. It measures when writes are acknowledged again, and when controllers decide
 * again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { rounded } from "../measure/latencies.ts";
import { tenantManifests, workloadManifest } from "../measure/manifests.ts";
import { PartCrew } from "../part/part-crew.ts";
import type { PartProcess } from "../part/part-process.ts";
import { ApiPool } from "../path/api-pool.ts";
import type { BindTimes, WatchStanding } from "../path/play-watch.ts";
import type { Progress } from "../measure/progress.ts";
import { sharedNowMs } from "../measure/shared-clock.ts";
import { ClusterPlanes } from "./cluster-planes.ts";
import { clusterStore } from "./cluster-store.ts";
import {
  ClusterStuck,
  type FailoverResult,
  type FailoverTask,
  type Round,
} from "./cluster-task.ts";
import { firstSentAfter, longestSilence, type Written } from "./write.ts";

const FILLING = "filling";
const PROBE = "probe";
/** As `berth bench place` has it. */
const EACH = 500;
/** Few, because their leases are not measured, and so large that everything fits on them. */
const NODES = 20;
const NODE = { cpu: "100000", memory: "1000000Gi" };
const SIZE = { cpu: "100m", memory: "128Mi" };
/** Times are recorded as they come; this is only the interval between two looks. */
const LOOK_MS = 25;
/**
 * A silence that begins within this time belongs to the same round: a new leader has much to do at
 * first.
 */
const AFTERWARDS_MS = 500;
/** Silence is counted from the last write before the round; there was one within this time. */
const BEFORE_MS = 5_000;

export async function runFailover(task: FailoverTask, progress: Progress): Promise<FailoverResult> {
  const store = await clusterStore(task);
  const crew = new PartCrew();
  let planes: ClusterPlanes | undefined;
  try {
    planes = await ClusterPlanes.start({ ...task, store: store.where });
    return await new FailoverRun(task, planes, crew, progress).run();
  } finally {
    await crew.stop();
    await planes?.stop();
    await store.stop();
  }
}

class FailoverRun {
  private readonly task: FailoverTask;
  private readonly planes: ClusterPlanes;
  private readonly writer: PartProcess;
  private readonly watcher: PartProcess;
  private readonly speaker: PartProcess;
  private readonly progress: Progress;
  /** The plane that the previous round took away. */
  private missing: { readonly plane: number; readonly gone: Promise<void> } | undefined;

  constructor(task: FailoverTask, planes: ClusterPlanes, crew: PartCrew, progress: Progress) {
    this.task = task;
    this.planes = planes;
    this.progress = progress;
    this.writer = crew.start("write");
    this.watcher = crew.start("watch");
    this.speaker = crew.start("speak");
  }

  async run(): Promise<FailoverResult> {
    const { task, planes, progress } = this;
    const { urls } = planes;
    const began = sharedNowMs();
    await this.fill();
    const fillSeconds = rounded((sharedNowMs() - began) / 1_000);
    const probing = { urls, tenant: PROBE, name: PROBE, rate: task.writeRate };
    await this.writer.ask("begin", probing);
    const rounds: Round[] = [];
    for (let at = 0; at < task.rounds; at += 1) {
      for (const how of ["killed", "stopped"] as const) {
        progress(rounds.length, 2 * task.rounds, `rounds, the leader is ${how}`);
        rounds.push(await this.round(how));
      }
    }
    const { acknowledged, failed } = await this.written(sharedNowMs());
    return { rounds, objects: task.objects, fillSeconds, writes: { acknowledged, failed } };
  }

  private async fill(): Promise<void> {
    const { task, planes, progress } = this;
    const url = planes.urlOf(planes.leader);
    const pool = await ApiPool.open(url, 1);
    for (const each of [FILLING, PROBE].flatMap(tenantManifests)) await pool.create(each);
    const speaking = { urls: planes.urls, nodes: NODES, size: NODE };
    await this.speaker.ask("join", speaking, progress);
    await this.watcher.ask("watch", { url, tenant: FILLING });
    for (let at = 0; at * EACH < task.objects; at += 1) {
      const replicas = Math.min(EACH, task.objects - at * EACH);
      const of = { tenant: FILLING, replicas, resources: SIZE };
      await pool.create(workloadManifest(`${FILLING}-${at}`, of));
    }
    pool.close();
    await this.until("All replicas are bound beforehand", async () => {
      const { bound } = await this.watcher.ask<WatchStanding>("standing", undefined);
      progress(bound[FILLING] ?? 0, task.objects, "replicas bound beforehand");
      return bound[FILLING] === task.objects ? true : undefined;
    });
  }

  private async round(how: Round["how"]): Promise<Round> {
    const { planes } = this;
    await this.bringBack();
    await this.untilAllTakeWrites();
    const { leader } = planes;
    const survivor = (leader + 1) % planes.urls.length;
    await this.watcher.ask("watch", { url: planes.urlOf(survivor), tenant: PROBE });
    const ledBefore = planes.leads.length;
    const fromMs = sharedNowMs();
    const gone = how === "killed" ? planes.kill(leader) : planes.end(leader);
    const lead = await planes.untilLed(ledBefore);
    const first = await this.until("A write is acknowledged", async () => {
      const { writes } = await this.written(fromMs);
      return firstSentAfter(writes, fromMs);
    });
    const boundMs = await this.until("A replica is bound", () => this.firstBound(first.number));
    await sleep(AFTERWARDS_MS);
    const { writes } = await this.written(fromMs - BEFORE_MS);
    this.missing = { plane: leader, gone };
    return {
      how,
      leadsMs: rounded(lead.atMs - fromMs),
      ackedMs: rounded(first.ackedMs - fromMs),
      boundMs: rounded(boundMs - fromMs),
      silentMs: rounded(longestSilence(writes, fromMs)),
    };
  }

  private async bringBack(): Promise<void> {
    const { missing } = this;
    // It may still be telling its watchers that it stops.
    await missing?.gone;
    if (missing !== undefined) await this.planes.begin(missing.plane);
  }

  /** When the first replica was bound of the workloads written from this one on. */
  private async firstBound(number: number): Promise<number | undefined> {
    const standing = await this.watcher.ask<WatchStanding>("standing", undefined);
    if (standing.lost !== "") throw new ClusterStuck(standing.lost);
    const times = await this.watcher.ask<BindTimes>("times", { group: PROBE });
    const at = times.workloads.findIndex((each) => each >= number);
    return at === -1 ? undefined : times.boundMs[at];
  }

  /** A restarted plane follows, and passes writes on. */
  private async untilAllTakeWrites(): Promise<void> {
    const sinceMs = sharedNowMs();
    await this.until("Every plane takes writes", async () => {
      const { writes } = await this.written(sinceMs);
      const sent = writes.filter(({ sentMs }) => sentMs > sinceMs);
      const heard = new Set(sent.map(({ plane }) => plane));
      return heard.size === this.planes.urls.length ? true : undefined;
    });
  }

  private written(sinceMs: number): Promise<Written> {
    return this.writer.ask("written", { sinceMs });
  }

  private async until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    const endMs = sharedNowMs() + this.task.patienceMs;
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (sharedNowMs() > endMs) throw new ClusterStuck(`${what}: waited for that in vain.`);
      await sleep(LOOK_MS);
    }
  }
}
