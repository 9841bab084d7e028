/**
 * `npm run chaos -- --regional [--minutes N] [--seed S]`: a global plane and three planes of regions as real processes, under
 * faults. Prints what was done, and everything that must not be: more used than the quota, a replica that runs twice, an
 * acknowledged workload that is gone, a recording that replays otherwise.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { RegionStandings } from "../../../src/api/regions/region-standing.ts";
import { KeyedRandom } from "../../../src/sim/faults/keyed-random.ts";
import { adminHeaders } from "../admin-headers.ts";
import { LocalBerth, type ShownReplica } from "../local-berth.ts";

const REGIONS = ["eu-west", "eu-central", "us-east"] as const;
const SITES = ["global", ...REGIONS] as const;
type Site = (typeof SITES)[number];
const FAULTS = ["kill-plane", "freeze-plane", "kill-agent", "kill-replica"] as const;

const BERTH = "/apis/berth.dev/v1";
/** Half of what the agents have, so that regions compete for it. */
const LIMIT_CPU_MILLIS = 6_000;
const ASK_CPU_MILLIS = 300;
/** Short, so that freezes outlast it. */
const TERM = "10s";
const LONGEST_FREEZE_MS = 25_000;
const SAMPLE_MS = 500;
const SETTLE_MS = 180_000;

const folderOf = (site: Site): string => (site === "global" ? site : join("regions", site));

class RegionalChaos {
  readonly findings: string[] = [];
  readonly done = new Map<string, number>();
  acknowledged = 0;
  unanswered = 0;
  samples = 0;
  highestCpuMillis = 0;
  private readonly berth = new LocalBerth();
  private readonly random: KeyedRandom;
  /** Acknowledged and not deleted since, by region. */
  private readonly kept = new Map<string, Site>();
  private readonly frozen = new Set<number>();

  constructor(seed: number) {
    this.random = new KeyedRandom(seed, "regional-chaos");
  }

  async run(minutes: number): Promise<void> {
    const { berth } = this;
    await berth.build();
    try {
      berth.start("--regional", "--regions", "3", "--agents", "6", "--term", TERM);
      await berth.until("all planes", () => berth.output.includes("Press Ctrl-C") || undefined);
      await this.prepare();
      const endMs = Date.now() + minutes * 60_000;
      const isOver = (): boolean => Date.now() >= endMs;
      await Promise.all([this.write(isOver), this.harm(isOver), this.watch(isOver)]);
      await this.settle();
      if ((await berth.interrupt()) !== 0) this.findings.push("berth up did not end with 0");
      await berth.nothingLeft();
      for (const site of SITES) {
        const { status, out } = berth.berth("replay", join(berth.data, folderOf(site)));
        if (status !== 0) this.findings.push(`the recording of ${site} diverges: ${out}`);
      }
    } finally {
      for (const pid of this.frozen) tryTo(pid, "SIGCONT");
      await berth.remove();
    }
  }

  private async prepare(): Promise<void> {
    const quota = {
      apiVersion: "berth.dev/v1",
      kind: "Quota",
      metadata: { name: "default", namespace: "default" },
      spec: { limit: { cpu: `${LIMIT_CPU_MILLIS}m`, memory: "6Gi" } },
    };
    await this.must("PUT", "global", `${BERTH}/namespaces/default/quotas/default`, quota);
  }

  /** Submits to regions and deletes again; only what was acknowledged counts. */
  private async write(isOver: () => boolean): Promise<void> {
    for (let n = 0; !isOver(); n += 1) {
      const region = REGIONS[this.random.draw("region", n) % REGIONS.length] ?? "eu-west";
      const path = `${BERTH}/namespaces/default/workloads`;
      const [old] = [...this.kept].find(([, at]) => at === region) ?? [];
      const isDelete = this.kept.size > 24 && old !== undefined;
      const status = isDelete
        ? await this.send("DELETE", region, `${path}/${old}`)
        : await this.send("POST", region, path, aWorkload(`w${n}`));
      if (status === undefined || status >= 500) {
        this.unanswered += 1;
        // Whether it is gone is open.
        if (isDelete) this.kept.delete(old);
      } else if (status < 300) {
        this.acknowledged += 1;
        if (isDelete) this.kept.delete(old);
        else this.kept.set(`w${n}`, region);
      }
      await sleep(400);
    }
  }

  private async harm(isOver: () => boolean): Promise<void> {
    for (let n = 0; !isOver(); n += 1) {
      const fault = FAULTS[this.random.draw("fault", n) % FAULTS.length] ?? "kill-plane";
      const whom = this.random.draw("whom", n);
      await this.does(fault, whom, this.random.between("for", n, 1_000, LONGEST_FREEZE_MS));
      this.done.set(fault, (this.done.get(fault) ?? 0) + 1);
      await sleep(this.random.between("pause", n, 500, 3_000));
    }
  }

  private async does(fault: (typeof FAULTS)[number], whom: number, forMs: number): Promise<void> {
    const { berth } = this;
    const site = SITES[whom % SITES.length] ?? "global";
    const plane = berth.pidOfPlaneIn(folderOf(site));
    switch (fault) {
      case "kill-plane":
        if (plane !== undefined) tryTo(plane, "SIGKILL");
        return;
      case "freeze-plane":
        if (plane === undefined) return;
        this.frozen.add(plane);
        tryTo(plane, "SIGSTOP");
        await sleep(forMs);
        tryTo(plane, "SIGCONT");
        this.frozen.delete(plane);
        return;
      case "kill-agent": {
        const agents = berth.processes().filter((pid) => berth.wordsOf(pid).includes("agent"));
        const agent = agents[whom % Math.max(1, agents.length)];
        if (agent !== undefined) tryTo(agent, "SIGKILL");
        return;
      }
      case "kill-replica": {
        const replicas = berth.replicaProcesses();
        const replica = replicas[whom % Math.max(1, replicas.length)];
        if (replica !== undefined) tryTo(replica.pid, "SIGKILL");
      }
    }
  }

  /** Adds up what runs, from the processes themselves, and looks for one that runs twice. */
  private async watch(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      this.sample();
      await sleep(SAMPLE_MS);
    }
  }

  private sample(): void {
    const running = new Map<string, number>();
    for (const { replica } of this.berth.replicaProcesses()) {
      running.set(replica, (running.get(replica) ?? 0) + 1);
    }
    this.samples += 1;
    for (const [replica, count] of running) {
      if (count > 1) this.findings.push(`${replica} ran ${count} times at once`);
    }
    const cpuMillis = running.size * ASK_CPU_MILLIS;
    this.highestCpuMillis = Math.max(this.highestCpuMillis, cpuMillis);
    if (cpuMillis > LIMIT_CPU_MILLIS) {
      this.findings.push(`${cpuMillis}m of CPU ran, and the quota is ${LIMIT_CPU_MILLIS}m`);
    }
  }

  /** Once nothing is broken any more, all regions are heard, and no acknowledged workload is gone. */
  private async settle(): Promise<void> {
    const endMs = Date.now() + SETTLE_MS;
    for (;;) {
      const open = await this.unsettled();
      if (open === undefined) return;
      if (Date.now() > endMs) {
        this.findings.push(`not settled after ${SETTLE_MS / 1_000} s: ${open}`);
        return;
      }
      this.sample();
      await sleep(SAMPLE_MS);
    }
  }

  private async unsettled(): Promise<string | undefined> {
    const standings = await this.get<RegionStandings>("global", "/regions");
    if (standings === undefined) return "the global plane does not answer";
    const out = standings.regions.find(
      ({ state, unconfirmed }) => state !== "in-contact" || unconfirmed > 0,
    );
    if (out !== undefined) return `${out.name} is ${out.state}, ${out.unconfirmed} unconfirmed`;
    const names = new Set<string>();
    let charged = 0;
    for (const region of REGIONS) {
      const workloads = await this.get<Items>(region, `${BERTH}/workloads`);
      const replicas = await this.get<{ items: ShownReplica[] }>(region, `${BERTH}/replicas`);
      if (workloads === undefined || replicas === undefined) return `${region} does not answer`;
      for (const { metadata } of workloads.items) names.add(metadata.name);
      const charging = replicas.items.filter(({ status }) =>
        ["queued", "bound", "starting", "ready", "serving", "unknown"].includes(status.stage),
      );
      charged += charging.length * ASK_CPU_MILLIS;
    }
    if (charged > LIMIT_CPU_MILLIS) return `${charged}m charged of ${LIMIT_CPU_MILLIS}m`;
    const lost = [...this.kept.keys()].find((name) => !names.has(name));
    return lost === undefined ? undefined : `acknowledged workload ${lost} is gone`;
  }

  private async get<T>(site: Site, path: string): Promise<T | undefined> {
    try {
      const response = await this.fetch("GET", site, path);
      return response?.ok === true ? ((await response.json()) as T) : undefined;
    } catch {
      return undefined;
    }
  }

  private async send(
    method: string,
    site: Site,
    path: string,
    body?: object,
  ): Promise<number | undefined> {
    try {
      return (await this.fetch(method, site, path, body))?.status;
    } catch {
      return undefined;
    }
  }

  private must(method: string, site: Site, path: string, body: object): Promise<true> {
    return this.berth.until(`${method} ${path}`, async () => {
      const status = await this.send(method, site, path, body);
      return (status !== undefined && status < 300) || undefined;
    });
  }

  private async fetch(
    method: string,
    site: Site,
    path: string,
    body?: object,
  ): Promise<Response | undefined> {
    const url = this.berth.urlOfPlaneIn(folderOf(site));
    if (url === undefined) return undefined;
    const headers = {
      ...adminHeaders(join(this.berth.data, folderOf(site))),
      "content-type": "application/json",
    };
    const signal = AbortSignal.timeout(3_000);
    return fetch(`${url}${path}`, {
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

interface Items {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

const aWorkload = (name: string) => ({
  apiVersion: "berth.dev/v1",
  kind: "Workload",
  metadata: { name },
  spec: {
    replicas: 1,
    resources: { cpu: `${ASK_CPU_MILLIS}m`, memory: "32Mi" },
    run: { command: ["sleep", "3600"] },
  },
});

function tryTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

export async function runRegionalChaos(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      regional: { type: "boolean" },
      minutes: { type: "string", default: "3" },
      seed: { type: "string", default: "1" },
    },
  });
  const chaos = new RegionalChaos(Number(values.seed));
  await chaos.run(Number(values.minutes));
  const faults = [...chaos.done].map(([fault, times]) => `${fault} ${times}`).join(", ");
  console.log(`seed ${values.seed}, ${values.minutes} minutes: ${faults}`);
  console.log(
    `${chaos.acknowledged} writes acknowledged, ${chaos.unanswered} unanswered; at most ${chaos.highestCpuMillis}m of ${LIMIT_CPU_MILLIS}m CPU ran, in ${chaos.samples} samples`,
  );
  for (const finding of new Set(chaos.findings)) console.log(`FOUND: ${finding}`);
  if (chaos.findings.length === 0) console.log("Nothing found.");
  else process.exitCode = 1;
}
