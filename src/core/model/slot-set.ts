/**
 * A set of slots as runs: `[from, to, from, to, …]` in order, each run without its end, never
 * touching the next. A rollout moves nearly always along the slots, so half a million of them are
 * one or two runs, and asking for one slot neither walks them nor makes anything.
 */
export type SlotSet = readonly number[];

/** The end of a run that goes on for as many replicas as there will ever be. Fits into 32 bits. */
export const NO_END = 2_147_483_647;

export const NO_SLOTS: SlotSet = [];
export const ALL_SLOTS: SlotSet = [0, NO_END];

/** Up to so many bounds are walked; a search by halves would not be faster. */
const WALKED = 8;

export function hasSlot(set: SlotSet, slot: number): boolean {
  // The number of bounds at or below the slot is odd exactly inside a run.
  if (set.length > WALKED) return (boundsUpTo(set, slot) & 1) === 1;
  let bounds = 0;
  while (bounds < set.length && (set[bounds] as number) <= slot) bounds += 1;
  return (bounds & 1) === 1;
}

function boundsUpTo(set: SlotSet, slot: number): number {
  let from = 0;
  let to = set.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((set[middle] as number) <= slot) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** How many slots below `replicas` are in it. */
export function slotCount(set: SlotSet, replicas: number): number {
  let count = 0;
  for (let at = 0; at < set.length; at += 2) {
    const from = Math.min(set[at] as number, replicas);
    count += Math.min(set[at + 1] as number, replicas) - from;
  }
  return count;
}

/** The slots below `replicas` that are in it, in order. */
export function* slotsOf(set: SlotSet, replicas: number): Iterable<number> {
  for (let at = 0; at < set.length; at += 2) {
    const end = Math.min(set[at + 1] as number, replicas);
    for (let slot = set[at] as number; slot < end; slot += 1) yield slot;
  }
}

/** The first `most` slots below `replicas` that are not in it. */
export function slotsMissing(set: SlotSet, replicas: number, most: number): readonly number[] {
  const missing: number[] = [];
  let slot = 0;
  for (let at = 0; slot < replicas && missing.length < most; at += 2) {
    const gap = Math.min(set[at] ?? replicas, replicas);
    for (; slot < gap && missing.length < most; slot += 1) missing.push(slot);
    slot = Math.max(slot, set[at + 1] ?? replicas);
  }
  return missing;
}

/** With these slots, which are in order and none of which is in it. */
export const withSlots = (set: SlotSet, slots: readonly number[]): SlotSet => toggled(set, slots);

/** Without these slots, which are in order and all of which are in it. */
export const withoutSlots = (set: SlotSet, slots: readonly number[]): SlotSet =>
  toggled(set, slots);

/**
 * Adding a missing slot and removing a present one are the same: both turn the slot's two bounds
 * over.
 */
function toggled(set: SlotSet, slots: readonly number[]): SlotSet {
  const bounds: number[] = [];
  const turnOver = (bound: number): void => {
    if (bounds.at(-1) === bound) bounds.pop();
    else bounds.push(bound);
  };
  let at = 0;
  for (const slot of slots) {
    for (const bound of [slot, slot + 1]) {
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
