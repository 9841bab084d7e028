/** Seeded choices of one case: the same seed draws the same requests, whatever was drawn for other cases. */
import { finish, hashText, mix } from "../../src/core/kernel/keyed-hash.ts";

export class Draw {
  private readonly base: number;
  private drawn = 0;

  constructor(seed: number, purpose: string) {
    this.base = mix(mix(0, seed), hashText(purpose));
  }

  /** The seed of another sequence, such as that of one case of a run. */
  static seedOf(seed: number, index: number): number {
    return finish(mix(mix(mix(0, seed), hashText("case")), index));
  }

  private next(): number {
    this.drawn += 1;
    return finish(mix(this.base, this.drawn));
  }

  /** From 0 to one less than `below`. */
  below(below: number): number {
    return this.next() % Math.max(1, below);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.below(from.length)];
    if (picked === undefined && from.length === 0) throw new Error("Nothing to pick from.");
    return picked as T;
  }

  /** Small far more often than large: sizes around which parsers differ are reached, and most cases stay cheap. */
  size(most: number): number {
    return Math.floor(most ** (this.below(1_000) / 1_000));
  }
}
