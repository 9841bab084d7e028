/**
 * Draws marks for a part of the worlds: people mark a region as partitioned, mostly while its
 * machines really cannot reach the plane. It also draws the conditions for binds there: a policy
 * that calls some work low-risk, budgets from before and after the mark, and work of every kind,
 * allowed or not. Meanwhile quotas shrink, nodes change and pointers move, so that on return some
 * bindings are confirmed and some are not. The draws have their own stream: a world without a mark
 * is drawn as if this file did not exist.
 */
import type { Amounts } from "../../core/model/amounts.ts";
import type { PolicyRules } from "../../core/model/policy.ts";
import { worldNode, worldWorkload } from "../world/build-world.ts";
import type { Fault } from "../faults/fault.ts";
import { KeyedRandom } from "../faults/keyed-random.ts";
import type { TimelineEntry, World, WorldWorkload } from "../world/world.ts";
import { plainRevision } from "./swarm-recovery-budgets.ts";

/** Of a hundred worlds. */
const WORLDS_PERCENT = 18;

/** The request of each replica of the story; its machines take eight of them. */
const INDEX: Amounts = { cpuMillis: 250, memoryMiB: 64, deviceMillis: 0 };
const INDEXES_PER_NODE = 8;
const MACHINES = ["edge-1", "edge-2"] as const;
const TENANT = "edge";

/**
 * Far more than the story needs, so that the ceiling for the other grants stays as tight as it was.
 */
const RESERVE = indexes(64);

/** The machines are up by then, and enough time with faults is left. */
const MARK_MS = { least: 8_000, most: 40_000 };

export function withPartitionedRegions(seed: number, world: World): World {
  const random = new KeyedRandom(seed, "swarm-cut-offs");
  const region = world.regions[random.draw("region", 0) % Math.max(1, world.regions.length)];
  if (region === undefined || !random.chance("cut off", 0, WORLDS_PERCENT)) return world;
  return new PartitionDraw(random, world, region).draw();
}

function indexes(count: number): Amounts {
  return {
    cpuMillis: count * INDEX.cpuMillis,
    memoryMiB: count * INDEX.memoryMiB,
    deviceMillis: 0,
  };
}

class PartitionDraw {
  private readonly random: KeyedRandom;
  private readonly world: World;
  private readonly region: World["regions"][number];
  private readonly markMs: number;

  constructor(random: KeyedRandom, world: World, region: World["regions"][number]) {
    this.random = random;
    this.world = world;
    this.region = region;
    this.markMs = random.between("mark time", 0, MARK_MS.least, MARK_MS.most);
  }

  draw(): World {
    const { world } = this;
    return {
      ...world,
      tenants: [...world.tenants, { name: TENANT, quota: indexes(40) }],
      ...this.policies(),
      timeline: [
        ...world.timeline,
        ...this.machines(),
        ...this.budgets(),
        ...this.marks(),
        ...this.work(),
        ...this.meanwhile(),
      ],
    };
  }

  private machines(): readonly TimelineEntry[] {
    const { region, random } = this;
    const [zone = ""] = region.zones;
    // In the others the work of all tenants is there as well, and mostly first.
    const isApart = random.chance("machines apart", 0, 70);
    return MACHINES.map((name) => {
      const node = worldNode({
        name,
        region: region.name,
        zone,
        cpuMillis: INDEXES_PER_NODE * INDEX.cpuMillis,
        memoryMiB: 2 * INDEXES_PER_NODE * INDEX.memoryMiB,
        labels: { story: "edge" },
        ...(isApart
          ? { taints: [{ key: "story", value: "edge", effect: "no-schedule" as const }] }
          : {}),
      });
      return { atMs: 500, action: { do: "add-node", node } };
    });
  }

  /** The first revision in force always says which work is low-risk; most of the others do. */
  private policies(): Pick<World, "policies" | "policyRevisions"> {
    const { random, world } = this;
    const policies = world.policies ?? [{ name: "default", active: "default-1" }];
    const first = policies[0]?.active;
    const drawn = world.policyRevisions ?? [0, 1].map(plainRevision);
    const policyRevisions = drawn.map((revision, at) => {
      const { name, spec } = revision;
      const isSaid = name === first || random.chance("said", at, 80);
      const reserve = addTo(spec.recovery?.reserve);
      const recovery = { ...spec.recovery, reserve };
      return { name, spec: { ...spec, recovery, ...(isSaid ? this.degraded(at) : {}) } };
    });
    return { policies, policyRevisions };
  }

  private degraded(at: number): Pick<PolicyRules, "degraded"> {
    const { random } = this;
    const lowRisk = ["", "low", "idle"].filter((name) => random.chance(`low-risk ${name}`, at, 85));
    const confirmWithinMs = random.between("confirm within", at, 3, 70) * 1_000;
    return {
      degraded: { lowRisk, ...(random.chance("confirm said", at, 90) ? { confirmWithinMs } : {}) },
    };
  }

  /** Some before the mark and some after it; some of them end during the mark. */
  private budgets(): readonly TimelineEntry[] {
    const { random } = this;
    return Array.from({ length: random.between("budgets", 0, 1, 4) }, (_, at): TimelineEntry => {
      const isBefore = at === 0 || random.chance("budget before", at, 50);
      const soonMs = random.between("budget soon", at, 2_000, this.markMs - 2_000);
      const lateMs = this.markMs + random.between("budget late", at, 200, 10_000);
      const spec = {
        region: this.region.name,
        amounts: indexes(random.between("budget slots", at, 1, 12)),
        ...(random.chance("budget for all", at, 60) ? {} : { tenants: [TENANT] }),
        ...(random.chance("budget for a class", at, 15) ? { classes: ["low"] } : {}),
        ttlMs: random.between("budget ttl", at, 5_000, 90_000),
        reason: "drawn",
      };
      const action = { do: "grant-budget", name: `edge-${at}`, as: "person-0", spec } as const;
      return { atMs: isBefore ? soonMs : lateMs, action };
    });
  }

  private marks(): readonly TimelineEntry[] {
    const { random } = this;
    return Array.from({ length: random.chance("second mark", 0, 25) ? 2 : 1 }, (_, at) =>
      this.mark(at, this.markMs + at * random.between("mark apart", at, 500, 15_000)),
    ).flat();
  }

  private mark(at: number, atMs: number): readonly TimelineEntry[] {
    const { random } = this;
    const name = `mark-${at}`;
    const as = `person-${at % 2}`;
    const ttlMs = random.between("mark ttl", at, 4_000, 30_000);
    const target = { region: this.region.name };
    const spec = { action: "mark-partitioned", target, reason: "drawn", ttlMs } as const;
    const entries: TimelineEntry[] = [{ atMs, action: { do: "override", name, as, spec } }];
    const laterMs = atMs + random.between("mark later", at, 500, ttlMs);
    if (random.chance("mark extended", at, 25)) {
      const more = ttlMs + random.between("mark more", at, 1_000, 20_000);
      entries.push({
        atMs: laterMs,
        action: { do: "extend-override", name, as, ttlMs: more },
      });
    }
    if (random.chance("mark released", at, 35)) {
      entries.push({ atMs: laterMs + 500, action: { do: "release-override", name, as } });
    }
    return entries;
  }

  private work(): readonly TimelineEntry[] {
    const { random } = this;
    return Array.from({ length: random.between("work", 0, 2, 6) }, (_, at): TimelineEntry => {
      const atMs = Math.max(1_000, this.markMs + random.between("work time", at, -3_000, 12_000));
      return { atMs, action: { do: "put-workload", workload: this.workload(at) } };
    });
  }

  private workload(at: number): WorldWorkload {
    const { random } = this;
    const isPlain = random.chance("work is plain", at, 60);
    const odd = isPlain ? "" : random.pick("work odd", at, ODD);
    return worldWorkload({
      tenant: TENANT,
      name: `edge-${at}`,
      type: random.chance("work is batch", at, 30) ? "batch" : "service",
      replicas: random.between("work replicas", at, 1, 5),
      amounts: { cpuMillis: INDEX.cpuMillis, memoryMiB: INDEX.memoryMiB },
      ask: {
        regions: odd === "residency" ? [this.region.name] : [],
        nodeSelector: random.chance("work stays", at, 85) ? { story: "edge" } : {},
        tolerations: [{ key: "story", value: "" }],
      },
      ...(odd === "spread" ? { together: { spread: [{ by: "node", maxSkew: 1 }] } } : {}),
      ...(odd === "soft spread"
        ? { together: { spread: [{ by: "node", maxSkew: 1, soft: true }] } }
        : {}),
      ...(odd === "keep" ? { onDisconnect: "keep" } : {}),
      ...(odd === "gang" ? { gang: { deadlineMs: 20_000 } } : {}),
      ...(odd === "bounded" ? { disruption: { maxUnavailable: 0 } } : {}),
      priorityClass: isPlain ? "" : random.pick("work class", at, ["", "low", "high"]),
      labels: { app: `edge-${at}` },
    });
  }

  /** Changes that make some bindings invalid by the time the region is back. */
  private meanwhile(): readonly TimelineEntry[] {
    const { random } = this;
    const laterMs = (what: string): number => this.markMs + random.between(what, 0, 1_000, 30_000);
    const entries: TimelineEntry[] = [];
    if (random.chance("quota shrinks", 0, 40)) {
      const limit = indexes(random.between("quota left", 0, 0, 8));
      const sharing = random.chance("quota is shared", 0, 25) ? { sharing: { group: "g1" } } : {};
      entries.push({
        atMs: laterMs("quota time"),
        action: { do: "set-quota", tenant: TENANT, limit, ...sharing },
      });
    }
    if (random.chance("drained", 0, 30)) {
      const node = random.pick("drained node", 0, MACHINES);
      const atMs = laterMs("drain time");
      entries.push({ atMs, action: { do: "drain", node } });
      entries.push({ atMs: atMs + 30_000, action: { do: "undrain", node } });
    }
    if (random.chance("moved", 0, 30)) {
      const to = `default-${random.between("moved to", 0, 1, 2)}`;
      const action = { do: "activate", policy: "default", to } as const;
      entries.push({ atMs: laterMs("move time"), action });
    }
    return entries;
  }
}

/** One workload of each kind that a partitioned region may not bind, and some that it may. */
const ODD = ["residency", "spread", "soft spread", "keep", "gang", "bounded", "class"] as const;

const addTo = (reserve: Amounts | undefined): Amounts => ({
  cpuMillis: (reserve?.cpuMillis ?? 0) + RESERVE.cpuMillis,
  memoryMiB: (reserve?.memoryMiB ?? 0) + RESERVE.memoryMiB,
  deviceMillis: reserve?.deviceMillis ?? 0,
});

/**
 * In this percentage of cases people are right, and the machines of the region cannot reach the
 * plane.
 */
const REALLY_PERCENT = 65;

type Partition = Extract<Fault, { readonly fault: "partition" }>;

/** Partitions the machines of marked regions from the plane, both ways, for a part of the time. */
export function drawRealPartitions(seed: number, world: World): readonly Partition[] {
  const random = new KeyedRandom(seed, "real-cuts");
  return world.timeline.flatMap(({ atMs: markMs, action }, at) => {
    if (action.do !== "override" || action.spec.action !== "mark-partitioned") return [];
    if (!random.chance("really cut", at, REALLY_PERCENT)) return [];
    const atMs = Math.max(0, markMs + random.between("cut from", at, -4_000, 15_000));
    const forMs = random.between("cut for", at, 1_000, 30_000);
    const added = world.timeline.flatMap(({ action: each }) =>
      each.do === "add-node" ? [each.node] : [],
    );
    const agents = [...world.nodes, ...added]
      .filter(({ spec }) => spec.region === action.spec.target.region)
      .map(({ name }) => `agent:${name}`)
      .toSorted();
    return agents.flatMap((agent): Partition[] => [
      { fault: "partition", from: agent, to: "*", atMs, forMs },
      { fault: "partition", from: "*", to: agent, atMs, forMs },
    ]);
  });
}
