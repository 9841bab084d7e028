/**
 * Draws small batches that follow each other on every node, and one large service that needs most
 * of the largest node: it never fits, unless the scheduler keeps a node free for it.
 */
import { NOTHING, plus, times } from "../../core/model/amounts.ts";
import { worldWorkload } from "../world/build-world.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";
import type { TimelineEntry, WorldNode, WorldTenant } from "../world/world.ts";

/** The number of lines of batches; each has one running on every node. */
const LINES = 4;

/** Enough to last for a run: each runs for a while, one after the other on every node. */
const PER_NODE = 25;
const RUN_MS = { least: 15_000, most: 20_000 };

export interface Churn {
  readonly tenants: readonly WorldTenant[];
  readonly timeline: readonly TimelineEntry[];
  /** How long a batch runs in this world. */
  readonly batchRunMs: number;
}

/** Only in worlds of few nodes: every node matters, and each of them costs time. */
export function drawChurn(random: KeyedRandom, nodes: readonly WorldNode[]): Churn | undefined {
  if (!random.chance("churn", 0, 20)) return undefined;
  const cpus = nodes.map(({ spec }) => spec.capacity.cpuMillis);
  const cpuMillis = Math.floor(Math.max(...cpus) / LINES);
  const small = { cpuMillis, memoryMiB: 64 };
  const replicas = PER_NODE * nodes.length;
  const lines = Array.from({ length: LINES }, (_, at): TimelineEntry => {
    const of = { tenant: "churn", name: `small-${at}`, type: "batch", replicas } as const;
    const workload = worldWorkload({ ...of, amounts: small, together: { maxPerNode: 1 } });
    const atMs = random.between("churn begins", at, 1_000, 40_000);
    return { atMs, action: { do: "put-workload", workload } };
  });
  const asked = { cpuMillis: (LINES - 1) * cpuMillis, memoryMiB: 64 };
  const large = worldWorkload({ tenant: "large", name: "large", replicas: 1, amounts: asked });
  const whole = nodes.reduce((sum, { spec }) => plus(sum, spec.capacity), NOTHING);
  return {
    tenants: [
      { name: "churn", quota: times(whole, 2) },
      { name: "large", quota: { ...NOTHING, ...asked } },
    ],
    batchRunMs: random.between("churn run", 0, RUN_MS.least, RUN_MS.most),
    timeline: [...lines, { atMs: 50_000, action: { do: "put-workload", workload: large } }],
  };
}
