/**
 * A region that loses all its machines: the world says from when to when they go, and for how long
 * they stay away. The seed decides which machine goes when. The drawn faults are ordinary ones:
 * runs record them, scenarios list them and the shrinker removes them like all others.
 */
import type { Fault } from "./fault.ts";
import { KeyedRandom } from "./keyed-random.ts";
import type { World } from "../world/world.ts";

export interface RegionLoss {
  readonly region: string;
  /** The first machine goes no sooner, and the last no later. */
  readonly fromMs: number;
  readonly toMs: number;
  /** No machine is back sooner than this after it went. */
  readonly downMs: number;
}

/**
 * In this percentage of runs a switch fails and all machines go at once; in the others they go one
 * after the other.
 */
const AT_ONCE_PERCENT = 30;

export function drawRegionLosses(world: World, seed: number): readonly Fault[] {
  const random = new KeyedRandom(seed, "region-losses");
  return (world.losses ?? []).flatMap((loss, at) => drawLoss(random, at, loss, world));
}

function drawLoss(
  random: KeyedRandom,
  at: number,
  { region, fromMs, toMs, downMs }: RegionLoss,
  world: World,
): readonly Fault[] {
  const isAtOnce = random.chance("at once", at, AT_ONCE_PERCENT);
  const onceMs = random.between("moment", at, fromMs, toMs);
  return nodesOf(world, region).map((node) => {
    const ownMs = random.between(`moment of ${node}`, at, fromMs, toMs);
    return { fault: "node-crash", node, atMs: isAtOnce ? onceMs : ownMs, downMs };
  });
}

function nodesOf(world: World, region: string): readonly string[] {
  const added = world.timeline.flatMap(({ action }) =>
    action.do === "add-node" ? [action.node] : [],
  );
  return [...world.nodes, ...added]
    .filter(({ spec }) => spec.region === region)
    .map(({ name }) => name)
    .toSorted();
}
