/**
 * The fingerprint of a run: everything that happened, in order, in 64 bits. Two lanes with
 * different constants, because one 32-bit lane would collide within a day of swarm runs.
 */
import { finish } from "../../core/kernel/keyed-hash.ts";

export class RunHash {
  private low = 0x243f6a88;
  private high = 0x13198a2e;

  add(value: number): void {
    const l = Math.imul(this.low ^ value, 0x9e3779b1);
    this.low = (l << 13) | (l >>> 19);
    const h = Math.imul(this.high + value, 0x85ebca77) ^ l;
    this.high = (h << 17) | (h >>> 15);
  }

  toHex(): string {
    return hex(finish(this.high)) + hex(finish(this.low));
  }
}

const hex = (word: number): string => word.toString(16).padStart(8, "0");
