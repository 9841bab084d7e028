/**
 * Draws recovery objectives: for some services, in one or two of their regions, with times short
 * enough to be missed in a run.
 */
import type { RecoverySpec } from "../../core/model/recovery.ts";
import { worldWorkload } from "../world/build-world.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";
import type { TimelineEntry, WorldNode, WorldWorkload } from "../world/world.ts";

export function drawRecovery(
  random: KeyedRandom,
  at: number,
  regions: readonly string[],
): RecoverySpec | undefined {
  if (regions.length === 0 || !random.chance("workload recovers", at, 50)) return undefined;
  const from = random.draw("recovery region", at) % regions.length;
  const count = random.between("recovery regions", at, 1, Math.min(2, regions.length));
  return {
    withinMs: random.between("recovery within", at, 2, 120) * 1_000,
    replicas: random.between("recovery replicas", at, 1, 4),
    regions: [...regions, ...regions].slice(from, from + count),
  };
}

/** After everything has come up, so that room is reserved before the crowd fills the rest. */
const CROWD_FROM_MS = 12_000;

/** The smallest request of a replica; nodes are multiples of it. */
const CROWD_CPU_MILLIS = 500;

/** Few enough that the crowd is a small part of a run. */
const CROWD_MAX = 40;

/**
 * In small worlds a crowd takes all free room: lost replicas then have the recovery reserve or
 * nothing.
 */
export function drawCrowd(
  random: KeyedRandom,
  nodes: readonly WorldNode[],
  workloads: readonly WorldWorkload[],
): readonly TimelineEntry[] {
  const recovers = workloads.find(({ spec }) => spec.recovery !== undefined);
  const cpuMillis = nodes.reduce((sum, { spec }) => sum + spec.capacity.cpuMillis, 0);
  const replicas = Math.floor(cpuMillis / CROWD_CPU_MILLIS);
  if (recovers === undefined || replicas > CROWD_MAX) return [];
  if (!random.chance("crowd comes", 0, 80)) return [];
  const { tenant } = recovers;
  const limit = { cpuMillis: 200_000, memoryMiB: 200_000, deviceMillis: 40_000 };
  const crowd = worldWorkload({
    tenant,
    name: "crowd",
    replicas,
    amounts: { cpuMillis: CROWD_CPU_MILLIS, memoryMiB: 64 },
  });
  return [
    { atMs: 1_000, action: { do: "set-quota", tenant, limit } },
    { atMs: CROWD_FROM_MS, action: { do: "put-workload", workload: crowd } },
  ];
}
