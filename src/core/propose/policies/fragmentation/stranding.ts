/**
 * How much of a node's free devices would be stranded because its processors, or its memory, run
 * out first. Learns how much of the one asks want with each device. A node that is filled with asks
 * of one kind strands the rest of its devices when the other is used up; the answer is the mean
 * over the kinds that were learned. It rises long before nothing fits any more, which is when the
 * loss can still be avoided.
 *
 * Asks are kept as a histogram of amount per device, so that their number and variety cost nothing.
 */
import { shareOf } from "./fixed-point.ts";

/** 2^6 buckets for every doubling: amounts in one bucket differ by less than 1.6 per cent. */
const STEP_BITS = 6;
const STEPS = 1 << STEP_BITS;

/** A device with a million processors, or with a pebibyte, is beyond what there will be. */
const HIGHEST = (1 << 30) - 1;

const BUCKETS = bucketOf(HIGHEST) + 1;

/**
 * Rates are sums of quotients; with ten more bits what is cut off stays below a thousandth of a
 * device.
 */
const FINE = 1_024;

export class Stranding {
  private readonly mass = new Float64Array(BUCKETS);
  /**
   * Of the asks in this bucket and above: their weight, and the device that goes with one of the
   * amount.
   */
  private readonly weight = new Float64Array(BUCKETS + 1);
  private readonly rate = new Float64Array(BUCKETS + 1);

  /** An ask that wants this amount together with so many thousandths of devices. */
  learn(amount: number, millis: number): void {
    const bucket = bucketOf(perDevice(amount, millis));
    this.mass[bucket] = (this.mass[bucket] ?? 0) + millis;
  }

  halve(): void {
    for (const [bucket, mass] of this.mass.entries()) this.mass[bucket] = Math.floor(mass / 2);
  }

  /** What was learned counts from here on. */
  settle(whole: number): void {
    let weight = 0;
    let rate = 0;
    for (let bucket = BUCKETS - 1; bucket > 0; bucket -= 1) {
      const mass = this.mass[bucket] ?? 0;
      if (mass > 0) {
        const own = shareOf(mass, whole);
        weight += own;
        rate += Math.floor((own * 1000 * FINE) / lowestOf(bucket));
      }
      this.weight[bucket] = weight;
      this.rate[bucket] = rate;
    }
  }

  /** Thousandths of a device, times ONE. */
  of(amountFree: number, millisFree: number): number {
    if (millisFree <= 0) return 0;
    const wanting = bucketOf(perDevice(amountFree, millisFree)) + 1;
    const usable = Math.floor((amountFree * (this.rate[wanting] ?? 0)) / FINE);
    return Math.max(0, millisFree * (this.weight[wanting] ?? 0) - usable);
  }
}

const perDevice = (amount: number, millis: number): number =>
  Math.min(HIGHEST, Math.floor((amount * 1000) / millis));

/** Below 64 every value has its own bucket; above, the highest bits of the value are its bucket. */
function bucketOf(value: number): number {
  if (value < STEPS) return Math.max(0, value);
  const shift = 31 - Math.clz32(value) - STEP_BITS;
  return (shift + 1) * STEPS + (value >> shift) - STEPS;
}

function lowestOf(bucket: number): number {
  if (bucket < STEPS) return bucket;
  return ((bucket % STEPS) + STEPS) << ((bucket >> STEP_BITS) - 1);
}
