/**
 * Components that hold the same at the same revision, as one column: a fleet of agents is read as
 * one until one differs.
 */
import type { Belief } from "./beliefs-at.ts";

export interface BeliefGroup {
  readonly lanes: readonly number[];
  readonly belief: Belief;
}

export function beliefGroups(believed: readonly Belief[], groups: boolean): readonly BeliefGroup[] {
  const found = new Map<string, { lanes: number[]; belief: Belief }>();
  for (const belief of believed) {
    const { lane, revision, cells, isAstray } = belief;
    const same = groups ? JSON.stringify([revision, cells ?? null, isAstray]) : `${lane}`;
    const group = found.get(same);
    if (group) group.lanes.push(lane);
    else found.set(same, { lanes: [lane], belief });
  }
  return [...found.values()];
}
