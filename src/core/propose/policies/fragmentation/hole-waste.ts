/**
 * How much of the hole that is left on a device will never be used. Learns which shares are asked
 * for. The worth of a hole is what the best of the next few asks would make of it, including the
 * hole that this one leaves; the rest of it is waste. So 530 next to a 470 is kept for another 470
 * when these are common, and a 320 goes where a 650 has left 350.
 */
import { WHOLE_UNIT } from "../../fleet/fleet.ts";
import { ONE } from "./fixed-point.ts";

/**
 * A hole can wait for the best of 2^4 asks for shares. With 2^3 good matches are given away, with
 * 2^5 holes stay open for matches that come too late; between the two it hardly matters.
 */
const WAIT_SQUARINGS = 4;

/**
 * More sizes than this cost time and tell nothing new; rarer ones count as the next larger one that
 * is kept.
 */
const SIZES_KEPT = 64;

export class HoleWaste {
  /** By what is free of the device: thousandths of it that are waste, times ONE. */
  readonly waste = new Int32Array(WHOLE_UNIT + 1);
  private readonly asked = new Float64Array(WHOLE_UNIT);
  /** Whether anything was learned that does not count yet. */
  private isBehind = false;

  constructor() {
    // A hole without demand is all waste.
    for (let hole = 1; hole < WHOLE_UNIT; hole += 1) this.waste[hole] = hole * ONE;
  }

  learn(millis: number): void {
    if (millis >= WHOLE_UNIT) return;
    this.asked[millis] = (this.asked[millis] ?? 0) + 1;
    this.isBehind = true;
  }

  halve(): void {
    for (const [millis, count] of this.asked.entries()) this.asked[millis] = Math.floor(count / 2);
    this.isBehind = true;
  }

  /** What was learned counts from here on. An idle device is not wasted. */
  settle(): void {
    // Many a fleet is asked for whole devices only.
    if (!this.isBehind) return;
    this.isBehind = false;
    const sizes = this.commonest();
    const total = sizes.reduce((sum, { count }) => sum + count, 0);
    const worth = new Float64Array(WHOLE_UNIT);
    const uses = sizes.map(({ millis, count }) => ({ millis, count, worth: 0 }));
    for (let hole = 1; hole < WHOLE_UNIT; hole += 1) {
      for (const use of uses) {
        const left = hole - use.millis;
        use.worth = left < 0 ? 0 : use.millis * ONE + (worth[left] ?? 0);
      }
      worth[hole] = bestOfNext(uses, total);
      this.waste[hole] = hole * ONE - (worth[hole] ?? 0);
    }
  }

  private commonest(): readonly Size[] {
    const all: Size[] = [];
    for (const [millis, count] of this.asked.entries()) if (count > 0) all.push({ millis, count });
    if (all.length <= SIZES_KEPT) return all;
    const kept = all
      .toSorted((a, b) => b.count - a.count || a.millis - b.millis)
      .slice(0, SIZES_KEPT)
      .toSorted((a, b) => a.millis - b.millis)
      .map(({ millis }) => ({ millis, count: 0 }));
    for (const { millis, count } of all) {
      const next = kept.find((size) => size.millis >= millis);
      if (next !== undefined) next.count += count;
    }
    return kept;
  }
}

interface Size {
  readonly millis: number;
  readonly count: number;
}

interface Use extends Size {
  readonly worth: number;
}

/**
 * The expected best of as many draws: the chance that none exceeds a worth is a power of its share.
 */
function bestOfNext(uses: Use[], total: number): number {
  // From one hole to the next the order hardly changes, and sorting what is sorted costs little.
  uses.sort((a, b) => a.worth - b.worth || a.millis - b.millis);
  let drawn = 0;
  let before = 0;
  let expected = 0;
  for (const { count, worth } of uses) {
    drawn += count;
    let chance = Math.floor((drawn * ONE) / total);
    for (let time = 0; time < WAIT_SQUARINGS; time += 1) {
      chance = Math.floor((chance * chance) / ONE);
    }
    expected += worth * (chance - before);
    before = chance;
  }
  return Math.floor(expected / ONE);
}
