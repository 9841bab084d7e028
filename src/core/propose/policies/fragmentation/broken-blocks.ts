/**
 * How much of a node's free devices is of no use to asks for several whole devices at once. Learns
 * how many they want together. Idle devices are of use in full blocks only, so the first ask on an
 * idle node breaks one, and those that follow had better go where it is broken already.
 */
import { WHOLE_UNIT } from "../../fleet/fleet.ts";
import { shareOf } from "./fixed-point.ts";

/** More devices than any node has; an ask for more counts as one for this many. */
const MOST = 64;

export class BrokenBlocks {
  private readonly mass = new Float64Array(MOST + 1);
  private weight = 0;
  /** By the number of idle devices: how many are in full blocks, on the mean of asks. */
  private readonly inBlocks = new Float64Array(MOST + 1);

  learn(units: number, millis: number): void {
    const size = Math.min(MOST, units);
    if (size > 1) this.mass[size] = (this.mass[size] ?? 0) + millis;
  }

  halve(): void {
    for (const [size, mass] of this.mass.entries()) this.mass[size] = Math.floor(mass / 2);
  }

  /** What was learned counts from here on. */
  settle(whole: number): void {
    this.weight = 0;
    this.inBlocks.fill(0);
    for (let size = 2; size <= MOST; size += 1) {
      const own = shareOf(this.mass[size] ?? 0, whole);
      if (own === 0) continue;
      this.weight += own;
      for (let idle = size; idle <= MOST; idle += 1) {
        this.inBlocks[idle] = (this.inBlocks[idle] ?? 0) + own * (idle - (idle % size));
      }
    }
  }

  /** Thousandths of a device, times ONE. */
  of(millisFree: number, idle: number): number {
    const usable = this.inBlocks[idle < MOST ? idle : MOST] ?? 0;
    return millisFree * this.weight - usable * WHOLE_UNIT;
  }
}
