/**
 * A fleet with a queue: jobs of three tenants arrive for twenty minutes, about as fast as the nodes
 * finish them, in sizes that do not always fit the gap that was just freed. Each seed is another
 * fleet, another load and another running time.
 */
import { KeyedRandom } from "../../../src/sim/faults/keyed-random.ts";
import { worldNode, worldWorkload } from "../../../src/sim/world/build-world.ts";
import type { TimelineEntry, World } from "../../../src/sim/world/world.ts";

const ARRIVE_UNTIL_MS = 1_200_000;
/** What is left in the queue has this time to be placed. */
const EMPTY_MS = 3_600_000;
const NODE = { cpuMillis: 4_000, memoryMiB: 16_384 };
const TENANTS = ["lab", "risk", "web"] as const;
const SIZES = [500, 1_000, 1_000, 2_000, 3_000] as const;

export function busyWorld(seed: number): World {
  const random = new KeyedRandom(seed, "busy-world");
  const nodes = random.between("nodes", 0, 4, 12);
  const batchRunMs = random.between("run", 0, 20, 90) * 1_000;
  const loadPercent = random.between("load", 0, 80, 120);
  return {
    name: `busy-${seed}`,
    regions: [{ name: "eu", zones: ["eu-a"] }],
    nodes: Array.from({ length: nodes }, (_, at) =>
      worldNode({ name: `n${at + 1}`, region: "eu", zone: "eu-a", ...NODE }),
    ),
    tenants: TENANTS.map((name) => ({
      name,
      quota: { cpuMillis: 1_000_000, memoryMiB: 4_000_000, deviceMillis: 0 },
    })),
    workloads: [],
    schedulers: 1,
    timeline: arrivals(random, { nodes, batchRunMs, loadPercent }),
    faultsUntilMs: ARRIVE_UNTIL_MS,
    healMs: EMPTY_MS,
    startUpMs: 2_000,
    batchRunMs,
  };
}

function arrivals(
  random: KeyedRandom,
  of: { readonly nodes: number; readonly batchRunMs: number; readonly loadPercent: number },
): readonly TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  // In thousandths of a core: what the nodes finish in a second, and the share of it that arrives.
  const perSecond =
    ((of.nodes * NODE.cpuMillis) / (of.batchRunMs / 1_000)) * (of.loadPercent / 100);
  let atMs = 5_000;
  for (let job = 0; atMs < ARRIVE_UNTIL_MS; job += 1) {
    const cpuMillis = SIZES[random.between("size", job, 0, SIZES.length - 1)] ?? SIZES[0];
    const replicas = random.between("replicas", job, 1, 8);
    const tenant = TENANTS[random.between("tenant", job, 0, TENANTS.length - 1)] ?? TENANTS[0];
    const amounts = { cpuMillis, memoryMiB: 512 };
    const name = `job-${job}`;
    const workload = worldWorkload({ tenant, name, replicas, type: "batch", amounts });
    entries.push({ atMs, action: { do: "put-workload", workload } });
    const meanMs = Math.ceil((replicas * cpuMillis * 1_000) / perSecond);
    atMs += random.between("gap", job, 0, 2 * meanMs);
  }
  return entries;
}
