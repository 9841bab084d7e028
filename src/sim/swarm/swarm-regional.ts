/**
 * Draws a small world with a global plane and a plane in each of a few regions: the quota is about
 * what the machines have, so that rights have to move, and links and planes fail for longer than
 * the terms that they keep alive.
 */
import { type Amounts, NOTHING, plus } from "../../core/model/amounts.ts";
import { KeyedRandom } from "../faults/keyed-random.ts";
import { GLOBAL, type RegionalEvent, type WanRates } from "../regional/regional-world.ts";
import { worldNode, worldWorkload } from "../world/build-world.ts";
import type {
  TimelineEntry,
  World,
  WorldNode,
  WorldTenant,
  WorldWorkload,
} from "../world/world.ts";
import { part } from "./swarm-quotas.ts";

const FAULTS_UNTIL_MS = 120_000;
const HEAL_MS = 500_000;
const LAST_ACTS_MS = FAULTS_UNTIL_MS + 10_000;
/** By then the regions have the objects of the global plane, unless a fault was faster. */
const WORK_MS = 10_000;
const REGIONAL_PERCENT = 10;

export const isDrawnRegional = (seed: number): boolean =>
  new KeyedRandom(seed, "swarm-regional").chance("regional", 0, REGIONAL_PERCENT);

export function drawRegionalWorld(seed: number): World {
  return new RegionalDraw(seed).draw();
}

class RegionalDraw {
  private readonly seed: number;
  private readonly random: KeyedRandom;
  private readonly termMs: number;

  constructor(seed: number) {
    this.seed = seed;
    this.random = new KeyedRandom(seed, "swarm-regional");
    this.termMs = this.random.between("term", 0, 10, 45) * 1_000;
  }

  draw(): World {
    const names = this.times("regions", 2, 3, (at) => `r${at + 1}`);
    const nodes = names.map((name, at) =>
      this.times(`nodes of ${name}`, 2, 3, (index) => this.node(name, at * 10 + index)),
    );
    const whole = nodes
      .flat()
      .reduce<Amounts>((sum, { spec }) => plus(sum, spec.capacity), NOTHING);
    const tenants = this.times("tenants", 1, 2, (at) => this.tenant(at, whole));
    const workloads = names.map((name, at) =>
      this.times(`workloads of ${name}`, 1, 3, (index) =>
        this.workload(name, at * 10 + index, tenants),
      ),
    );
    const all = workloads.flat();
    const late = all.map((_, at) => this.random.chance("late workload", at, 30));
    return {
      name: `swarm-regional-${this.seed}`,
      regions: names.map((name) => ({
        name,
        zones: [`${name}-a`],
        plane: { termMs: this.termMs },
      })),
      nodes: nodes.flat(),
      tenants,
      workloads: all.filter((_, at) => late[at] !== true),
      schedulers: 1,
      controllersShareView: this.random.chance("shared view", 0, 80),
      regional: { events: this.events(names), wan: this.wan() },
      timeline: [
        ...all.flatMap((workload, at) => (late[at] === true ? [this.late(workload, at)] : [])),
        ...workloads.flatMap((own, at) =>
          this.times(`scales of ${names[at]}`, 0, 4, (index) => this.scale(at * 10 + index, own)),
        ),
        ...this.times("quota changes", 0, 3, (at) => this.quotaChange(at, tenants, whole)),
      ],
      faultsUntilMs: FAULTS_UNTIL_MS,
      healMs: HEAL_MS,
      startUpMs: this.random.between("start-up", 0, 100, 3_000),
      batchRunMs: 10_000,
    };
  }

  private late(workload: WorldWorkload, at: number): TimelineEntry {
    const atMs = this.random.between("late time", at, WORK_MS, LAST_ACTS_MS);
    return { atMs, action: { do: "put-workload", workload } };
  }

  private times<T>(what: string, min: number, max: number, make: (at: number) => T): T[] {
    return Array.from({ length: this.random.between(what, 0, min, max) }, (_, at) => make(at));
  }

  private one<T>(what: string, at: number, from: readonly T[]): T | undefined {
    return from[this.random.draw(what, at) % Math.max(1, from.length)];
  }

  private node(region: string, at: number): WorldNode {
    const { random } = this;
    return worldNode({
      name: `${region}-n${at + 1}`,
      region,
      zone: `${region}-a`,
      cpuMillis: random.between("node size", at, 4, 16) * 500,
      memoryMiB: random.between("node memory", at, 8, 32) * 256,
    });
  }

  private tenant(at: number, whole: Amounts): WorldTenant {
    const quota = part(whole, this.random.between("quota", at, 20, 90));
    // Two of a group lend each other what they do not use.
    const isShared = this.random.chance("group", 0, 25);
    return { name: `t${at + 1}`, quota, ...(isShared ? { sharing: { group: "g1" } } : {}) };
  }

  private workload(region: string, at: number, tenants: readonly WorldTenant[]): WorldWorkload {
    const { random } = this;
    return worldWorkload({
      tenant: this.one("workload tenant", at, tenants)?.name ?? "t1",
      name: `${region}-w${at + 1}`,
      type: random.chance("workload type", at, 20) ? "batch" : "service",
      replicas: random.between("workload replicas", at, 1, 6),
      ask: { regions: [region] },
      amounts: {
        cpuMillis: random.between("workload cpu", at, 1, 6) * 250,
        memoryMiB: random.between("workload memory", at, 1, 8) * 128,
      },
    });
  }

  private scale(at: number, workloads: readonly WorldWorkload[]): TimelineEntry {
    const of = this.one("scaled", at, workloads);
    return {
      atMs: this.random.between("scale time", at, WORK_MS, LAST_ACTS_MS),
      action: {
        do: "scale",
        tenant: of?.tenant ?? "t1",
        workload: of?.name ?? "",
        replicas: this.random.between("scale replicas", at, 0, 8),
      },
    };
  }

  private quotaChange(at: number, tenants: readonly WorldTenant[], whole: Amounts): TimelineEntry {
    const tenant = this.one("quota of", at, tenants)?.name ?? "t1";
    const limit = part(whole, this.random.between("new quota", at, 10, 100));
    const atMs = this.random.between("quota time", at, WORK_MS, LAST_ACTS_MS);
    return { atMs, action: { do: "set-quota", tenant, limit } };
  }

  private events(regions: readonly string[]): readonly RegionalEvent[] {
    const { random } = this;
    const region = (what: string, at: number): string => this.one(what, at, regions) ?? "r1";
    const cuts = this.times("cuts", 0, 4, (at): RegionalEvent => {
      const way = this.one("way", at, ["both", "both", "to-global", "to-region"] as const);
      return {
        event: "cut",
        region: region("cut region", at),
        atMs: random.between("cut time", at, WORK_MS, FAULTS_UNTIL_MS - 10_000),
        forMs: random.between("cut length", at, 1_000, 3 * this.termMs),
        way: way ?? "both",
      };
    });
    const restores = random.chance("restores", 0, 50)
      ? this.times("restore", 1, 2, (at): RegionalEvent => ({
          event: "restore",
          of: random.chance("restore of global", at, 40) ? GLOBAL : region("restored", at),
          atMs: random.between("restore time", at, WORK_MS, FAULTS_UNTIL_MS),
          agoMs: random.between("restore ago", at, 10, 60_000),
        }))
      : [];
    const isLost = regions.length > 2 && random.chance("lost", 0, 25);
    const lost: RegionalEvent = {
      event: "lose",
      region: regions.at(-1) ?? "r1",
      atMs: random.between("lost time", 0, WORK_MS, FAULTS_UNTIL_MS),
      saidAfterMs: random.between("said gone", 0, 1_000, 60_000),
    };
    return [...cuts, ...restores, ...(isLost ? [lost] : [])];
  }

  private wan(): WanRates {
    const { random } = this;
    const rate = (what: string): number =>
      random.chance(`${what} at all`, 0, 60) ? random.between(what, 0, 1, 200) : 0;
    return {
      lost: rate("wan lost"),
      late: rate("wan late"),
      doubled: rate("wan doubled"),
      lateMs: random.between("wan late by", 0, 100, 30_000),
    };
  }
}
