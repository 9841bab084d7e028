/** Named draws for what is drawn up front, where speed does not matter and names read better. */
import { between, finish, hashText, mix } from "../../core/kernel/keyed-hash.ts";

export class KeyedRandom {
  private readonly base: number;

  constructor(seed: number, purpose: string) {
    this.base = mix(mix(0, seed), hashText(purpose));
  }

  draw(name: string, index = 0): number {
    return finish(mix(mix(this.base, hashText(name)), index));
  }
  between(name: string, index: number, min: number, max: number): number {
    return between(this.draw(name, index), min, max);
  }
  chance(name: string, index: number, percent: number): boolean {
    return this.draw(name, index) % 100 < percent;
  }
  pick<T>(name: string, index: number, from: readonly [T, ...T[]]): T {
    return from[this.draw(name, index) % from.length] ?? from[0];
  }
}
