/**
 * How many more nodes a pool may be given, and when: its own bounds, and those that the policy in
 * force sets for all pools of its region (PN3). The authority asks it with its own clock. A
 * controller has none that could be compared with it (CL1), and asks with the times at which it saw
 * each of them.
 */
import type { JobMoment } from "../../model/batch.ts";
import { poolBackoffMs, type PoolRate } from "../../model/node/node-pool.ts";
import type { NodePool } from "../../model/objects.ts";
import { secondsText } from "../../model/text/seconds-text.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { defaultRules } from "../../observe/policy-in-force.ts";
import { nodesOfPool, poolNodesIn } from "../../observe/pool-nodes.ts";

/** What the time is, and when a moment was, on one and the same clock. */
export interface PoolClock {
  readonly nowMs: number;
  atMs(pool: NodePool, moment: JobMoment): number;
}

export interface PoolBound {
  readonly code: "provision-bound" | "provision-backoff";
  /** Which bound, in words. */
  readonly what: string;
  readonly expected: string;
  readonly actual: number;
  /**
   * The same as a sentence without its end, e.g. "2 were asked for within 30.0 s, which is all that
   * its pace allows".
   */
  readonly words: string;
  /** When it is over by itself; left out: when there are fewer nodes, or the bound is another. */
  readonly untilMs?: number;
}

/** Undefined: another node may be asked for now. */
export function poolBound(
  objects: ObjectIndex,
  pool: NodePool,
  clock: PoolClock,
): PoolBound | undefined {
  return (
    full(objects, pool) ??
    backingOff(pool, clock) ??
    tooFast([pool], pool.spec.pace, { clock, what: "pace" }) ??
    regionBound(objects, pool, clock)
  );
}

/** Nodes that are being given back count until they are gone: their machines are still there. */
function full(objects: ObjectIndex, { meta, spec }: NodePool): PoolBound | undefined {
  const { length } = nodesOfPool(objects, meta.name);
  return length < spec.maxNodes ? undefined : tooMany("maxNodes", spec.maxNodes, length);
}

const tooMany = (what: string, most: number, actual: number): PoolBound => ({
  code: "provision-bound",
  what,
  expected: `fewer than ${most}`,
  actual,
  words: `there are ${actual} nodes, and ${what} is ${most}`,
});

function regionBound(
  objects: ObjectIndex,
  { spec }: NodePool,
  clock: PoolClock,
): PoolBound | undefined {
  const { region } = spec;
  const rules = defaultRules(objects, region).provisioning;
  if (rules === undefined) return undefined;
  const { maxNodes, nodes, periodMs } = rules;
  const { length } = maxNodes === undefined ? [] : poolNodesIn(objects, region);
  if (maxNodes !== undefined && length >= maxNodes) {
    return tooMany(`maxNodes of all pools in ${region}`, maxNodes, length);
  }
  if (nodes === undefined || periodMs === undefined) return undefined;
  const pools = [...objects.all("NodePool").values()].filter((each) => each.spec.region === region);
  return tooFast(pools, { nodes, periodMs }, { clock, what: `pace of all pools in ${region}` });
}

function tooFast(
  pools: readonly NodePool[],
  { nodes, periodMs }: PoolRate,
  { clock, what }: { readonly clock: PoolClock; readonly what: string },
): PoolBound | undefined {
  const times = pools.flatMap((pool) =>
    (pool.status.lately ?? []).map((moment) => clock.atMs(pool, moment)),
  );
  const within = times.filter((atMs) => clock.nowMs - atMs < periodMs).toSorted((a, b) => a - b);
  if (within.length < nodes) return undefined;
  // When the first of as many as may be leaves the time that is looked at, there is room for
  // another.
  const first = within[within.length - nodes] ?? clock.nowMs;
  return {
    code: "provision-bound",
    what,
    expected: `fewer than ${nodes} in ${periodMs} ms`,
    actual: within.length,
    words: `${within.length} were requested within ${secondsText(periodMs)}, the limit of the ${what}`,
    untilMs: first + periodMs,
  };
}

/** Of a provisioner that fails nothing is asked for a while (PN5). */
function backingOff(pool: NodePool, clock: PoolClock): PoolBound | undefined {
  const { failures = 0, failed } = pool.status;
  if (failures === 0 || failed === undefined) return undefined;
  const waitMs = poolBackoffMs(failures);
  const untilMs = clock.atMs(pool, failed) + waitMs;
  if (untilMs <= clock.nowMs) return undefined;
  return {
    code: "provision-backoff",
    what: `${failures} in a row did not join`,
    expected: `${waitMs} ms since the last`,
    actual: waitMs - (untilMs - clock.nowMs),
    words: `${failures} in a row did not join; the next request follows ${secondsText(waitMs)} after the last`,
    untilMs,
  };
}
