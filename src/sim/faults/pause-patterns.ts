/**
 * Pauses that come in patterns, which single ones drawn by chance hardly ever make: a node that
 * comes and goes, and a zone that goes dark while the rest of its region is heard. Each rests on a
 * pause that the swarm has drawn, so runs without pauses have none of them.
 */
import type { Fault } from "./fault.ts";
import type { KeyedRandom } from "./keyed-random.ts";
import type { World } from "../world/world.ts";

type Pause = Extract<Fault, { readonly fault: "node-pause" }>;

/**
 * A little longer than a node may be late before it is suspect, and than it takes to be seen again.
 */
const AWAY_MS = 9_000;
const BACK_MS = 2_500;
/** As many returns as make a node flapping, and one more. */
const TIMES = 5;

/** Of so many pauses in a hundred. */
const FLAPPING_PERCENT = 20;
const DARK_PERCENT = 25;

export function pausePattern(
  fault: Fault,
  of: { readonly random: KeyedRandom; readonly index: number; readonly world: World },
): readonly Pause[] {
  if (fault.fault !== "node-pause") return [];
  const { random, index } = of;
  if (random.chance("node flaps", index, FLAPPING_PERCENT)) return flapping(fault, of);
  if (random.chance("zone goes dark", index, DARK_PERCENT)) return dark(fault, of);
  return [];
}

/**
 * Another node than the one that is paused anyway, from early on, so that it is over while there is
 * work to place.
 */
function flapping(
  { node: paused }: Pause,
  { random, index, world }: Parameters<typeof pausePattern>[1],
): readonly Pause[] {
  const others = world.nodes.map(({ name }) => name).filter((name) => name !== paused);
  const node = others[random.draw("flapping node", index) % Math.max(1, others.length)];
  if (node === undefined) return [];
  const beginsMs = random.between("flapping begins", index, 1_000, 10_000);
  return Array.from({ length: TIMES }, (_, time) => ({
    fault: "node-pause" as const,
    node,
    atMs: beginsMs + time * (AWAY_MS + BACK_MS),
    forMs: AWAY_MS,
  }));
}

/**
 * All others of the zone, at the same moment and for longer than one of them alone would be waited
 * for.
 */
function dark(
  { node: paused, atMs }: Pause,
  { random, index, world }: Parameters<typeof pausePattern>[1],
): readonly Pause[] {
  const zone = world.nodes.find(({ name }) => name === paused)?.spec.zone;
  const forMs = random.between("zone dark for", index, 20_000, 50_000);
  return world.nodes
    .filter(({ name, spec }) => spec.zone === zone && name !== paused)
    .map(({ name }) => ({ fault: "node-pause" as const, node: name, atMs, forMs }));
}
