/**
 * People who look after machines: who holds them, who lifts what is another's, and how patient a
 * drain is.
 */
import type { DrainTerms } from "../../core/model/node/drain.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";
import type { UserAction } from "../world/world.ts";
import { personOf } from "./swarm-people.ts";

export const drawCordon = (node: string, at: number): UserAction => ({
  do: "cordon",
  node,
  holder: personOf(at),
});

/** Mostly one's own; now and then another's, and then in vain or by force. */
export function drawUncordon(random: KeyedRandom, node: string, at: number): UserAction {
  const own = { do: "uncordon", node, holder: personOf(at) } as const;
  if (!random.chance("uncordon another's", at, 30)) return own;
  const isForced = random.chance("uncordon by force", at, 40);
  return { ...own, as: personOf(at + 1), ...(isForced ? { force: true } : {}) };
}

export function drawDrain(random: KeyedRandom, node: string, at: number): UserAction {
  if (!random.chance("drain has terms", at, 60)) return { do: "drain", node };
  const isForced = random.chance("drain is forced", at, 50);
  const terms: DrainTerms = {
    holder: personOf(at),
    reason: "maintenance",
    deadlineMs: 1000 * random.between("drain deadline", at, 4, 30),
    ...(isForced ? { atDeadline: "force" } : {}),
  };
  return { do: "drain", node, terms };
}
