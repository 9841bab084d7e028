/**
 * The turn every host gives its components: its own time, and draws keyed by seed and component.
 */
import { finish, hashText, mix } from "./keyed-hash.ts";
import type { Turn } from "../protocol/turn.ts";

/** Reused for every turn of one component: only `now` differs between them. */
export class KeyedTurn implements Turn {
  now = 0;
  private readonly base: number;

  constructor(seed: number, component: string) {
    this.base = mix(mix(0, seed), hashText(component));
  }

  random(site: string, subject: string): number {
    return finish(mix(mix(this.base, hashText(site)), hashText(subject)));
  }
}
