/** The small mischief of a chaos run, drawn from its seed: what is done, to whom, for how long, and when the next comes. */
import { KeyedRandom } from "../../../src/sim/faults/keyed-random.ts";

export const MISCHIEF = [
  "kill-replica",
  "freeze-replica",
  "kill-agent",
  "freeze-agent",
  "freeze-plane",
  "slow-link",
  "slow-disk",
] as const;

export interface Mischief {
  readonly kind: (typeof MISCHIEF)[number];
  /** Chooses among whoever is there when it happens. */
  readonly whom: number;
  readonly forMs: number;
  readonly pauseMs: number;
  readonly delayMs: number;
}

export function drawMischief(seed: number, index: number): Mischief {
  const random = new KeyedRandom(seed, "chaos");
  return {
    kind: kindOf(random, index),
    whom: random.draw("whom", index),
    // Shorter than the eight seconds after which a node is suspect: nodes that are, have their own place in the run.
    forMs: random.between("for", index, 200, 4_000),
    pauseMs: random.between("pause", index, 200, 1_500),
    delayMs: random.between("delay", index, 50, 800),
  };
}

/** Each kind once in every round, in another order: whatever the seed, none is left out for long. */
function kindOf(random: KeyedRandom, index: number): Mischief["kind"] {
  const at = index % MISCHIEF.length;
  const round = index - at;
  const order = MISCHIEF.toSorted(
    (a, b) => random.draw(`order of ${a}`, round) - random.draw(`order of ${b}`, round),
  );
  return order[at] ?? MISCHIEF[0];
}
