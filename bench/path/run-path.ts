/**
 * Measures the whole durable path with every part in a process of its own: clients create workloads
 * over HTTP, the plane commits and binds, a watcher is told. The parent only starts, asks and adds
 * up.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { SUSPECT_AFTER_MS } from "../../src/core/model/timing.ts";
import { type BenchStore, benchStore } from "../measure/bench-store.ts";
import { thinnedOut } from "../measure/bound-curve.ts";
import { latenciesOf, rounded } from "../measure/latencies.ts";
import { priorityClassManifest, tenantManifests, workloadManifest } from "../measure/manifests.ts";
import { PartProcess } from "../part/part-process.ts";
import type { PartRole } from "../part/part-role.ts";
import type { Progress } from "../measure/progress.ts";
import { sharedNowMs } from "../measure/shared-clock.ts";
import { ApiPool, Refused } from "./api-pool.ts";
import type { Group, PathFigures, PathOutcome, PathTask } from "./path-task.ts";
import { PlaneProcess } from "./plane-process.ts";
import type { Churned } from "./play-churn.ts";
import type { Created, CreateTask } from "./play-create.ts";
import type { FleetStanding } from "./play-fleet.ts";
import type { BindTimes, WatchStanding } from "./play-watch.ts";

/** Times come from the watcher; this only says how soon the end is noticed. */
const LOOK_EVERY_MS = 50;

export async function runPath(task: PathTask, progress: Progress): Promise<PathOutcome> {
  const store = await benchStore(task);
  const plane = await startPlane(task, store);
  const crew = new Map<PartRole, PartProcess>();
  const part = (role: PartRole): PartProcess => {
    const known = crew.get(role) ?? PartProcess.start(role);
    crew.set(role, known);
    return known;
  };
  try {
    return await new PathRun(task, plane, part, progress).run();
  } catch (error) {
    if (error instanceof Refused) return { kind: "refused", message: error.message };
    if (error instanceof Stuck) return { kind: "stuck", message: error.message };
    throw error;
  } finally {
    await Promise.all([...crew.values()].map((each) => each.stop()));
    await plane.stop();
    await store.stop();
  }
}

async function startPlane(task: PathTask, store: BenchStore): Promise<PlaneProcess> {
  try {
    return await PlaneProcess.start({ ...task, store: store.where });
  } catch (error) {
    await store.stop();
    throw error;
  }
}

class Stuck extends Error {}

class PathRun {
  private readonly task: PathTask;
  private readonly plane: PlaneProcess;
  private readonly part: (role: PartRole) => PartProcess;
  private readonly progress: Progress;

  constructor(
    task: PathTask,
    plane: PlaneProcess,
    part: (role: PartRole) => PartProcess,
    progress: Progress,
  ) {
    this.task = task;
    this.plane = plane;
    this.part = part;
    this.progress = progress;
  }

  async run(): Promise<PathOutcome> {
    const { task, plane, progress } = this;
    const { url } = plane;
    const began = performance.now();
    await this.furnish();
    await this.part("fleet").ask("join", { url, task: task.fleet }, progress);
    await this.part("watch").ask("watch", { url });
    for (const group of task.before) await this.layGround(group);
    if (task.churn !== undefined) {
      await this.part("churn").ask("begin", { url, task: task.churn });
    }
    const setUpSeconds = rounded((performance.now() - began) / 1000);
    return this.measure(setUpSeconds);
  }

  /** What everything else refers to, and whether the plane takes what is to come at all. */
  private async furnish(): Promise<void> {
    const { tenants, priorityClasses, before, measured, churn } = this.task;
    const pool = await ApiPool.open(this.plane.url, 1);
    try {
      for (const manifest of tenants.flatMap(tenantManifests)) await pool.create(manifest);
      for (const { name, value } of priorityClasses) {
        await pool.create(priorityClassManifest(name, value));
      }
      for (const group of [...before, measured]) {
        const sample = workloadManifest(`${group.name}-0`, { ...group.of, replicas: group.each });
        await pool.create(sample, { dryRun: true });
      }
      for (const manifest of churn?.objects ?? []) await pool.create(manifest, { dryRun: true });
    } finally {
      pool.close();
    }
  }

  private async layGround(group: Group): Promise<void> {
    await this.create(group, {});
    const wanted = group.workloads * group.each;
    const bound = await this.untilBound(group, "replicas bound beforehand");
    if (bound === wanted) return;
    const { longestGapMs } = await this.part("fleet").ask<FleetStanding>("standing", undefined);
    const late =
      longestGapMs < SUSPECT_AFTER_MS
        ? ""
        : ` Leases came up to ${Math.round(longestGapMs / 1000)} s apart, so nodes were taken for silent: the machine is too busy.`;
    throw new Stuck(
      `Only ${bound} of ${wanted} replicas were bound that the measurement builds on.${late}`,
    );
  }

  private async create(
    group: Group,
    { rate }: { readonly rate?: number | undefined },
  ): Promise<readonly Created[]> {
    const { clients, connections } = this.task;
    const ask = (part: PartProcess, first: number): Promise<Created> =>
      part.ask("create", {
        url: this.plane.url,
        group,
        first,
        of: clients,
        connections: Math.min(connections, Math.ceil(group.workloads / clients)),
        rate: rate === undefined ? undefined : rate / clients,
      } satisfies CreateTask);
    const others = Array.from({ length: clients - 1 }, () => PartProcess.start("create"));
    try {
      const all = [this.part("create"), ...others];
      return await Promise.all(all.map(ask));
    } finally {
      await Promise.all(others.map((each) => each.stop()));
    }
  }

  private async measure(setUpSeconds: number): Promise<PathOutcome> {
    const { task, plane } = this;
    const { measured } = task;
    const before = plane.usage();
    // What was renewed before belongs to the setting up.
    const stoodBefore = await this.part("fleet").ask<FleetStanding>("standing", undefined);
    const creating = this.create(measured, { rate: task.rate });
    const [created] = await Promise.all([creating, this.untilBound(measured, "replicas bound")]);
    const after = plane.usage();
    const stands = await this.part("fleet").ask<FleetStanding>("standing", undefined);
    const churned =
      task.churn === undefined
        ? { churned: 0, churnRefused: 0 }
        : await this.part("churn").ask<Churned>("stop", undefined);
    const times = await this.part("watch").ask<BindTimes>("times", { group: measured.name });
    const { curve, ...told } = addUp(measured, created, times);
    const figures: PathFigures = {
      ...told,
      cpuSeconds: before && after ? rounded(after.cpuSeconds - before.cpuSeconds) : null,
      rssMiB: after?.peakRssMiB ?? null,
      leaseRenewals: stands.renewals - stoodBefore.renewals,
      leaseFailures: stands.failures - stoodBefore.failures,
      leaseGapMs: Math.round(stands.longestGapMs),
      nodesFellSilent: stands.longestGapMs >= SUSPECT_AFTER_MS,
      stopped: stands.stopped,
      ...churned,
      setUpSeconds,
    };
    return { kind: "measured", figures, curve };
  }

  /** How many were bound when all were, or when none was for so long that none will be. */
  private async untilBound(group: Group, label: string): Promise<number> {
    const wanted = group.workloads * group.each;
    let heardMs = sharedNowMs();
    for (;;) {
      const standing = await this.part("watch").ask<WatchStanding>("standing", undefined);
      if (standing.lost !== "") throw new Error(standing.lost);
      const bound = standing.bound[group.name] ?? 0;
      this.progress(bound, wanted, label);
      heardMs = Math.max(heardMs, standing.lastMs);
      if (bound >= wanted || sharedNowMs() - heardMs > this.task.patienceMs) return bound;
      await sleep(LOOK_EVERY_MS);
    }
  }
}

type Told = Omit<
  PathFigures,
  | keyof Churned
  | "cpuSeconds"
  | "rssMiB"
  | "leaseRenewals"
  | "leaseFailures"
  | "leaseGapMs"
  | "nodesFellSilent"
  | "stopped"
  | "setUpSeconds"
>;

function addUp(
  group: Group,
  created: readonly Created[],
  { workloads, boundMs, relists }: BindTimes,
): Told & Pick<Extract<PathOutcome, { kind: "measured" }>, "curve"> {
  // Each client knows only of its own, and has noted 0 for the others.
  const sentMs = new Float64Array(group.workloads);
  for (const client of created) {
    for (const [at, ms] of client.sentMs.entries()) if (ms > 0) sentMs[at] = ms;
  }
  const firstMs = sentMs.reduce((first, ms) => Math.min(first, ms), Number.POSITIVE_INFINITY);
  const lastSentMs = sentMs.reduce((last, ms) => Math.max(last, ms), 0);
  const lastMs = boundMs.at(-1) ?? firstMs;
  const waits = boundMs.map((ms, at) => ms - (sentMs[workloads[at] ?? 0] ?? ms));
  const { p50Ms, p99Ms, maxMs } = latenciesOf(waits);
  const seconds = Math.max(lastMs - firstMs, 1) / 1000;
  const points = [...boundMs].map((ms, at) => [Math.round(ms - firstMs), at + 1] as const);
  return {
    boundPerSecond: Math.round(boundMs.length / seconds),
    createToBoundP50Ms: p50Ms,
    createToBoundP99Ms: p99Ms,
    createToBoundMaxMs: maxMs,
    bound: boundMs.length,
    wanted: group.workloads * group.each,
    seconds: rounded(seconds),
    watchRelists: relists,
    createP99Ms: Math.max(...created.map(({ answerP99Ms }) => answerP99Ms)),
    createsPerSecond: Math.round((group.workloads * 1000) / Math.max(lastSentMs - firstMs, 1)),
    clientCpuSeconds: rounded(created.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)),
    curve: thinnedOut([[0, 0], ...points]),
  };
}
