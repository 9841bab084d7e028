/**
 * Offers a plane more than it can take, from one tenant, and measures what another tenant, the
 * nodes and the log notice. Every part has a process of its own.
 */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { benchStore } from "../measure/bench-store.ts";
import { rounded } from "../measure/latencies.ts";
import { tenantManifests, workloadManifest } from "../measure/manifests.ts";
import type { Progress } from "../measure/progress.ts";
import { sharedNowMs } from "../measure/shared-clock.ts";
import { PartCrew } from "../part/part-crew.ts";
import type { PartProcess } from "../part/part-process.ts";
import { ApiPool } from "../path/api-pool.ts";
import { PlaneProcess } from "../path/plane-process.ts";
import type { FleetStanding } from "../path/play-fleet.ts";
import { FLOOD_TENANT, madeName, WORKLOADS } from "./flood-requests.ts";
import type {
  FloodShape,
  Noticed,
  OverloadFigures,
  OverloadTask,
  ShapeFigures,
} from "./overload-task.ts";
import type { Flooded, FloodTask } from "./play-flood.ts";
import { VICTIM_TENANT, type VictimStanding, type Window } from "./play-victim.ts";

const NAMES = ["admin", "flood", "victim"] as const;
type Tokens = Readonly<Record<(typeof NAMES)[number], string>>;

/** Enough connections that the plane always has the next request to do. */
const BUSY = 64;
/** As long as a measurement of what the plane takes of one shape. */
const CAPACITY_SECONDS = 3;
/** The other tenant is looked at so often after a flood, and waited for at most so long. */
const LOOK_MS = 500;
const NORMAL_MOST_MS = 10_000;
/** For the processes, the objects and the leases, and to look for what was acknowledged. */
const SET_UP_MOST_SECONDS = 60;
const SHAPE_REST_SECONDS = 8;
/** A page of names, to look for what was acknowledged. */
const PAGE = 500;
const PREPARED = { tenant: FLOOD_TENANT, replicas: 0, resources: { cpu: "100m", memory: "64Mi" } };

/** Beyond this the run is ended. */
export function mostSeconds({ shapes, seconds }: OverloadTask): number {
  const waits = (2 * NORMAL_MOST_MS) / 1_000;
  return (
    SET_UP_MOST_SECONDS +
    shapes.length * (CAPACITY_SECONDS + 2 * seconds + waits + SHAPE_REST_SECONDS)
  );
}

export async function runOverload(
  task: OverloadTask,
  progress: Progress,
  say: (line: string) => void,
): Promise<OverloadFigures> {
  const store = await benchStore(task);
  const tokens = Object.fromEntries(
    NAMES.map((name) => [name, randomBytes(24).toString("hex")]),
  ) as Tokens;
  const tokenFile = join(task.folder, "overload-tokens");
  const lines = [`admin admin ${tokens.admin}`, `user flood ${tokens.flood}`];
  writeFileSync(tokenFile, [...lines, `user victim ${tokens.victim}`, ""].join("\n"), {
    mode: 0o600,
  });
  const crew = new PartCrew();
  const { folder, profile } = task;
  const of = { folder, profile, store: store.where, schedulers: 1, records: false, tokenFile };
  const most = mostSeconds(task);
  try {
    const plane = await PlaneProcess.start(of);
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      const error = new Error(`The benchmark did not end within ${most} s, so it was stopped.`);
      timer = setTimeout(() => reject(error), most * 1_000);
    });
    try {
      const run = new OverloadRun(task, plane.url, tokens, crew);
      return await Promise.race([run.run(progress, say), tooLong]);
    } finally {
      clearTimeout(timer);
      await crew.stop();
      await plane.stop();
    }
  } finally {
    await store.stop();
  }
}

class OverloadRun {
  private readonly task: OverloadTask;
  private readonly url: string;
  private readonly tokens: Tokens;
  private readonly fleet: PartProcess;
  private readonly victim: PartProcess;
  private readonly flood: PartProcess;
  /** Of all loads, just before each. */
  private readonly calmWindows: Window[] = [];
  private calmLeaseWaitMs = 0;

  constructor(task: OverloadTask, url: string, tokens: Tokens, crew: PartCrew) {
    this.task = task;
    this.url = url;
    this.tokens = tokens;
    this.fleet = crew.start("fleet");
    this.victim = crew.start("victim");
    this.flood = crew.start("flood");
  }

  async run(progress: Progress, say: (line: string) => void): Promise<OverloadFigures> {
    const { task, url, tokens } = this;
    const admin = await ApiPool.open(url, BUSY, tokens.admin);
    try {
      for (const tenant of [FLOOD_TENANT, VICTIM_TENANT]) {
        for (const manifest of tenantManifests(tenant)) await admin.create(manifest);
        await admin.post(...bindingOf(tenant));
      }
      const size = { cpu: "64", memory: "256Gi" };
      const fleet = { nodes: task.nodes, zones: ["zone-1"], size, answersStops: false };
      await this.fleet.ask("join", { url, task: fleet, token: tokens.admin }, progress);
      await Promise.all(
        Array.from({ length: task.listed }, (_, at) =>
          admin.create(workloadManifest(`listed-${at}`, PREPARED)),
        ),
      );
      await this.victim.ask("begin", { url, token: tokens.victim });
      say(`${task.nodes} nodes renew their leases; ${task.listed} workloads are there to list.`);
      const shapes: ShapeFigures[] = [];
      for (const [at, shape] of task.shapes.entries()) {
        progress(at, task.shapes.length, `loads, now ${shape}`);
        const figures = await this.measure(shape);
        const { takenPerSecond, writes, reads } = figures;
        say(
          `${shape}: takes ${takenPerSecond}/s; beside ${task.times} times as many, writes p99 ${writes.p99Ms} ms, reads p99 ${reads.p99Ms} ms.`,
        );
        shapes.push(figures);
      }
      const calm = await this.calm();
      const { renewals, failures } = await this.standing();
      return {
        calm,
        shapes: shapes.map((each) => ({ ...each, timesCalm: timesOf(each, calm) })),
        leaseRenewals: renewals,
        leaseFailures: failures,
      };
    } finally {
      admin.close();
    }
  }

  private async measure(shape: FloodShape): Promise<ShapeFigures> {
    const { task } = this;
    const quiet = await this.notice(() => sleep(task.seconds * 1_000));
    this.calmWindows.push(quiet.window);
    this.calmLeaseWaitMs = Math.max(this.calmLeaseWaitMs, quiet.noticed.leaseLateMs);
    const calm = await this.calm();
    const capacity = { shape, seconds: CAPACITY_SECONDS, round: `${shape}-0` };
    const taken = await this.send({ ...capacity, connections: BUSY });
    // A body that never ends is answered by none: all connections of the flood send one.
    const takenPerSecond =
      shape === "bodies"
        ? task.connections / task.times
        : Math.max(1, taken.answered / taken.seconds);
    await this.untilNormal(calm);
    let flooded: Flooded | undefined;
    const { noticed, window } = await this.notice(async () => {
      flooded = await this.send({
        shape,
        seconds: task.seconds,
        connections: task.connections,
        rate: takenPerSecond * task.times,
        round: `${shape}-1`,
      });
    });
    const normalAfterMs = await this.untilNormal(calm);
    // By now those are answered, too, that waited at the end of the load.
    const { writes, reads } = await this.during([window]);
    const { sent, answered, refused, heldBack, made, seconds } = flooded as Flooded;
    const first = taken.made.map((number) => madeName(`${shape}-0`, number));
    const second = made.map((number) => madeName(`${shape}-1`, number));
    const a = (count: number): number => Math.round(count / seconds);
    return {
      shape,
      takenPerSecond: Math.round(takenPerSecond),
      offeredPerSecond: a(sent + heldBack),
      answeredPerSecond: a(answered),
      refusedPerSecond: a(refused),
      heldBackPerSecond: a(heldBack),
      ...noticed,
      writes,
      reads,
      timesCalm: timesOf({ writes, reads }, calm),
      lost: await missing(this.url, this.tokens.admin, [...first, ...second]),
      normalAfterMs,
    };
  }

  private send(task: Omit<FloodTask, "url" | "token">): Promise<Flooded> {
    return this.flood.ask("flood", { ...task, url: this.url, token: this.tokens.flood });
  }

  private standing(): Promise<FleetStanding> {
    return this.fleet.ask<FleetStanding>("standing", undefined);
  }

  /** What the victim and the nodes notice meanwhile. */
  private async notice(
    meanwhile: () => Promise<unknown>,
  ): Promise<{ readonly noticed: Noticed; readonly window: Window }> {
    await this.fleet.ask("forget", undefined);
    const { failed: before } = await this.during([]);
    const fromMs = sharedNowMs();
    await meanwhile();
    const window: Window = [fromMs, sharedNowMs()];
    const { longestWaitMs } = await this.standing();
    const { writes, reads, failed } = await this.during([window]);
    const leaseLateMs = rounded(longestWaitMs);
    return { noticed: { writes, reads, leaseLateMs, failed: failed - before }, window };
  }

  private async calm(): Promise<Noticed> {
    const { writes, reads } = await this.during(this.calmWindows);
    return { writes, reads, leaseLateMs: this.calmLeaseWaitMs, failed: 0 };
  }

  private during(windows: readonly Window[]): Promise<VictimStanding> {
    return this.victim.ask<VictimStanding>("during", windows);
  }

  /** How long until, for a moment, the victim's requests are about as fast as in calm. */
  private async untilNormal(calm: Noticed): Promise<number | null> {
    const beganMs = sharedNowMs();
    for (;;) {
      const fromMs = sharedNowMs();
      if (fromMs - beganMs > NORMAL_MOST_MS) return null;
      await sleep(LOOK_MS);
      const { writes, reads } = await this.during([[fromMs, fromMs + LOOK_MS]]);
      const isNormal = reads.p50Ms < 2 * calm.reads.p99Ms && writes.p50Ms < 2 * calm.writes.p99Ms;
      if (isNormal) return Math.round(fromMs - beganMs);
    }
  }
}

function timesOf(beside: Pick<Noticed, "writes" | "reads">, calm: Noticed): number {
  const writes = beside.writes.p99Ms / calm.writes.p99Ms;
  return rounded(Math.max(writes, beside.reads.p99Ms / calm.reads.p99Ms));
}

/** The user of the tenant's name may do everything in it. */
function bindingOf(tenant: string): readonly [path: string, body: string] {
  const binding = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: "owner", namespace: tenant },
    subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: tenant }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "admin" },
  };
  return [
    `/apis/rbac.authorization.k8s.io/v1/namespaces/${tenant}/rolebindings`,
    JSON.stringify(binding),
  ];
}

/** How many of these workloads are not there. */
async function missing(url: string, token: string, names: readonly string[]): Promise<number> {
  if (names.length === 0) return 0;
  const headers = { authorization: `Bearer ${token}` };
  const there = new Set<string>();
  for (let next = ""; ;) {
    const path = `${WORKLOADS}?limit=${PAGE}&continue=${next}`;
    const page = (await (await fetch(new URL(path, url), { headers })).json()) as Page;
    for (const { metadata } of page.items) there.add(metadata.name);
    if (page.metadata.continue === undefined) break;
    next = encodeURIComponent(page.metadata.continue);
  }
  return names.filter((name) => !there.has(name)).length;
}

interface Page {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}
