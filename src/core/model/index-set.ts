/**
 * A set of indexes as runs: `[from, to, from, to, …]` in order, each run without its end, never
 * touching the next. A rollout moves nearly always along the indexes, so half a million of them are
 * one or two runs, and asking for one index neither walks them nor makes anything.
 */
export type IndexSet = readonly number[];

/** The end of a run that goes on for as many replicas as there will ever be. Fits into 32 bits. */
export const NO_END = 2_147_483_647;

export const NO_INDEXES: IndexSet = [];
export const ALL_INDEXES: IndexSet = [0, NO_END];

/** Up to so many bounds are walked; a search by halves would not be faster. */
const WALKED = 8;

export function hasIndex(set: IndexSet, index: number): boolean {
  // The number of bounds at or below the index is odd exactly inside a run.
  if (set.length > WALKED) return (boundsUpTo(set, index) & 1) === 1;
  let bounds = 0;
  while (bounds < set.length && (set[bounds] as number) <= index) bounds += 1;
  return (bounds & 1) === 1;
}

function boundsUpTo(set: IndexSet, index: number): number {
  let from = 0;
  let to = set.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((set[middle] as number) <= index) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** How many indexes below `replicas` are in it. */
export function indexCount(set: IndexSet, replicas: number): number {
  let count = 0;
  for (let at = 0; at < set.length; at += 2) {
    const from = Math.min(set[at] as number, replicas);
    count += Math.min(set[at + 1] as number, replicas) - from;
  }
  return count;
}

/** The indexes below `replicas` that are in it, in order. */
export function* indexesOf(set: IndexSet, replicas: number): Iterable<number> {
  for (let at = 0; at < set.length; at += 2) {
    const end = Math.min(set[at + 1] as number, replicas);
    for (let index = set[at] as number; index < end; index += 1) yield index;
  }
}

/** The first `most` indexes below `replicas` that are not in it. */
export function indexesMissing(set: IndexSet, replicas: number, most: number): readonly number[] {
  const missing: number[] = [];
  let index = 0;
  for (let at = 0; index < replicas && missing.length < most; at += 2) {
    const gap = Math.min(set[at] ?? replicas, replicas);
    for (; index < gap && missing.length < most; index += 1) missing.push(index);
    index = Math.max(index, set[at + 1] ?? replicas);
  }
  return missing;
}

/** With these indexes, which are in order and none of which is in it. */
export const withIndexes = (set: IndexSet, indexes: readonly number[]): IndexSet =>
  toggled(set, indexes);

/** Without these indexes, which are in order and all of which are in it. */
export const withoutIndexes = (set: IndexSet, indexes: readonly number[]): IndexSet =>
  toggled(set, indexes);

/**
 * Adding a missing index and removing a present one are the same: both turn the index's two bounds
 * over.
 */
function toggled(set: IndexSet, indexes: readonly number[]): IndexSet {
  const bounds: number[] = [];
  const turnOver = (bound: number): void => {
    if (bounds.at(-1) === bound) bounds.pop();
    else bounds.push(bound);
  };
  let at = 0;
  for (const index of indexes) {
    for (const bound of [index, index + 1]) {
      while (at < set.length && (set[at] as number) <= bound) {
        turnOver(set[at] as number);
        at += 1;
      }
      turnOver(bound);
    }
  }
  while (at < set.length) {
    turnOver(set[at] as number);
    at += 1;
  }
  return bounds;
}
