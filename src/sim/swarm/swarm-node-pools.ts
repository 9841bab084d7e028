/**
 * Draws pools of nodes for a part of the worlds, and work that needs them: small or slow pools,
 * whose provider refuses, forgets and is late, under policies that bound a whole region. The draws
 * have their own stream: a world without a pool is drawn as if this file did not exist.
 */
import type { Amounts } from "../../core/model/amounts.ts";
import type { NodePoolSpec, ProvisioningRules } from "../../core/model/node/node-pool.ts";
import { worldWorkload } from "../world/build-world.ts";
import { KeyedRandom } from "../faults/keyed-random.ts";
import type {
  TimelineEntry,
  World,
  WorldNodePool,
  WorldPolicyRevision,
  WorldWorkload,
} from "../world/world.ts";

/** Of a hundred worlds. */
const WORLDS_PERCENT = 22;

const TENANT = "burst";

export function withNodePools(seed: number, world: World): World {
  const random = new KeyedRandom(seed, "swarm-node-pools");
  if (!random.chance("node pools", 0, WORLDS_PERCENT)) return world;
  const count = random.between("pools", 0, 1, 2);
  const nodePools = Array.from({ length: count }, (_, at) => drawPool(random, at, world));
  const hungry = drawHungry(random, nodePools);
  const { policyRevisions } = world;
  return {
    ...world,
    nodePools,
    tenants: [...world.tenants, { name: TENANT, quota: drawQuota(random) }],
    workloads: [...world.workloads, ...hungry],
    timeline: [...world.timeline, ...drawAppetite(random, hungry, world.faultsUntilMs)],
    ...(policyRevisions === undefined
      ? {}
      : { policyRevisions: policyRevisions.map((each, at) => bounded(random, at, each)) }),
  };
}

function drawPool(random: KeyedRandom, at: number, { regions }: World): WorldNodePool {
  const region = regions[random.draw("pool region", at) % Math.max(1, regions.length)];
  const zones = region?.zones ?? [];
  const gpus = random.chance("pool devices", at, 25) ? random.between("pool gpus", at, 1, 4) : 0;
  const spec: NodePoolSpec = {
    region: region?.name ?? "r1",
    zone: zones[random.draw("pool zone", at) % Math.max(1, zones.length)] ?? "r1-a",
    capacity: {
      cpuMillis: random.between("pool cpu", at, 2, 12) * 500,
      memoryMiB: random.between("pool memory", at, 4, 24) * 256,
      deviceMillis: gpus * 1_000,
    },
    ...(gpus === 0 ? {} : { pools: [{ class: "gpu", model: "", count: gpus }] }),
    labels: { disk: random.chance("pool disk", at, 50) ? "ssd" : "hdd" },
    ...(random.chance("pool taint", at, 15)
      ? { taints: [{ key: "dedicated", value: "pool", effect: "no-schedule" as const }] }
      : {}),
    provisioner: "cloud",
    maxNodes: random.between("pool most", at, 1, 4),
    pace: {
      nodes: random.between("pace nodes", at, 1, 2),
      periodMs: random.between("pace period", at, 5, 40) * 1_000,
    },
    pendingForMs: random.between("pending for", at, 0, 20) * 1_000,
    readyWithinMs: random.between("ready within", at, 8, 40) * 1_000,
    ...(random.chance("gives back", at, 70)
      ? { idleAfterMs: random.between("idle after", at, 3, 40) * 1_000 }
      : {}),
  };
  return {
    name: `p${at + 1}`,
    spec,
    bootMs: { least: 500, most: random.between("boot most", at, 1, 20) * 1_000 },
    refusedPercent: drawPercent(random, "refused", at),
    lostPercent: drawPercent(random, "lost", at),
    silentPercent: drawPercent(random, "silent", at),
  };
}

const drawPercent = (random: KeyedRandom, what: string, at: number): number =>
  random.chance(`pool ${what}`, at, 50) ? random.between(`${what} percent`, at, 15, 45) : 0;

/**
 * Mostly more than all machines have, so that replicas wait for room; sometimes they wait for
 * quota.
 */
const drawQuota = (random: KeyedRandom): Amounts =>
  random.chance("ample", 0, 75)
    ? { cpuMillis: 200_000, memoryMiB: 400_000, deviceMillis: 0 }
    : { cpuMillis: random.between("short", 0, 4, 20) * 500, memoryMiB: 16_384, deviceMillis: 0 };

/** Services whose replicas need much of a machine, so that some wait for room alone. */
function drawHungry(
  random: KeyedRandom,
  pools: readonly WorldNodePool[],
): readonly WorldWorkload[] {
  const count = random.between("hungry", 0, 1, 3);
  return Array.from({ length: count }, (_, at) => {
    const { spec } = pools[at % pools.length] as WorldNodePool;
    const parts = random.between("hungry parts", at, 1, 4);
    const isGang = random.chance("hungry gang", at, 15);
    return worldWorkload({
      tenant: TENANT,
      name: `hungry-${at + 1}`,
      replicas: random.between("hungry replicas", at, 1, 8),
      amounts: {
        cpuMillis: Math.floor(spec.capacity.cpuMillis / parts),
        memoryMiB: random.between("hungry memory", at, 1, 4) * 128,
      },
      ask: {
        // Some may run only in the zone of the pool, and some only elsewhere.
        zones: random.chance("hungry zone", at, 40) ? [spec.zone] : [],
        regions: random.chance("hungry region", at, 20) ? [spec.region] : [],
        nodeSelector: random.chance("hungry disk", at, 25) ? { disk: "ssd" } : {},
        tolerations: random.chance("hungry tolerates", at, 60)
          ? [{ key: "dedicated", value: "" }]
          : [],
      },
      together: {
        ...(random.chance("hungry per node", at, 25) ? { maxPerNode: 1 } : {}),
        ...(random.chance("hungry spread", at, 20)
          ? { spread: [{ by: "zone", maxSkew: random.between("hungry skew", at, 1, 2) }] }
          : {}),
      },
      gang: isGang ? { deadlineMs: 120_000 } : undefined,
    });
  });
}

/** They scale up and down, so that machines become idle. */
function drawAppetite(
  random: KeyedRandom,
  hungry: readonly WorldWorkload[],
  untilMs: number,
): readonly TimelineEntry[] {
  const times = random.between("appetite", 0, 1, 8);
  const moods = Array.from({ length: times }, (_, at): TimelineEntry[] => {
    const of = hungry[random.draw("appetite of", at) % Math.max(1, hungry.length)];
    const replicas = random.chance("appetite gone", at, 40)
      ? 0
      : random.between("appetite replicas", at, 1, 8);
    const atMs = random.between("appetite time", at, 5_000, untilMs);
    return of === undefined ? [] : [wants(of, replicas, atMs)];
  });
  const ends = hungry
    .filter((_, at) => random.chance("fed", at, 50))
    .map((of, at) => wants(of, 0, random.between("fed time", at, untilMs, untilMs + 60_000)));
  return [...moods.flat(), ...ends];
}

const wants = (
  { tenant, name: workload }: WorldWorkload,
  replicas: number,
  atMs: number,
): TimelineEntry => ({ atMs, action: { do: "scale", tenant, workload, replicas } });

function bounded(
  random: KeyedRandom,
  at: number,
  { name, spec }: WorldPolicyRevision,
): WorldPolicyRevision {
  if (!random.chance("region bound", at, 40)) return { name, spec };
  const provisioning: ProvisioningRules = {
    maxNodes: random.between("region most", at, 0, 4),
    ...(random.chance("region pace", at, 50)
      ? { nodes: 1, periodMs: random.between("region period", at, 5, 40) * 1_000 }
      : {}),
  };
  return { name, spec: { ...spec, provisioning } };
}
