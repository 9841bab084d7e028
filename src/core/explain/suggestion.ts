/** What `--what-if` answers: changes that would give a waiting replica a place. */
import type { Remedy } from "../rules/obstacles/remedy.ts";

export interface Suggestion {
  readonly remedies: readonly Remedy[];
  /** A node that would take it then. */
  readonly node: string;
  /** How many nodes the same change would open; of a gang, how many its members would take. */
  readonly opens: number;
}

export interface WhatIf {
  readonly suggestions: readonly Suggestion[];
  /** Set: it would be placed as things are, so it waits for something else. */
  readonly fitsNow?: string;
  readonly nodesLookedAt: number;
  readonly nodes: number;
  /**
   * Nodes that no change of a workload, a quota or a hold would open, by the rule that turns them
   * away.
   */
  readonly beyondHelp: Readonly<Record<string, number>>;
  /** Of a gang: how many of its members have to find a place, and how many of them would. */
  readonly gang?: { readonly members: number; readonly fitting: number };
  /** A gang in a plane so large that its members were not tried together. */
  readonly oneMemberOnly?: true;
}

/** Without those that contain another one whole: the rest of them changes more than is needed. */
export const withoutLarger = (all: readonly Suggestion[]): readonly Suggestion[] =>
  all.filter(
    (one, at) =>
      !all.some(
        (other, place) =>
          place !== at && contains(one, other) && (!contains(other, one) || place < at),
      ),
  );

const contains = (whole: Suggestion, part: Suggestion): boolean =>
  part.remedies.every((wanted) => whole.remedies.some((each) => isAtLeast(each, wanted)));

/** Whether it is the same change, or as much of it and more. */
function isAtLeast(remedy: Remedy, wanted: Remedy): boolean {
  const [a, b] = [sizeAndRest(remedy), sizeAndRest(wanted)];
  return a.rest === b.rest && a.size >= b.size;
}

function sizeAndRest(remedy: Remedy): { readonly size: number; readonly rest: string } {
  switch (remedy.kind) {
    case "free":
    case "raise-quota":
      return { size: remedy.amount, rest: JSON.stringify({ ...remedy, amount: 0 }) };
    case "raise-max-per-node":
      return { size: remedy.to, rest: remedy.kind };
    case "loosen-spread":
      return { size: remedy.maxSkew, rest: `${remedy.kind} ${remedy.by}` };
    case "free-devices":
      return { size: remedy.count, rest: `${remedy.kind} ${remedy.node}` };
    default:
      return { size: 0, rest: JSON.stringify(remedy) };
  }
}
