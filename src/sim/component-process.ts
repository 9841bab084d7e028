/**
 * One component as the simulator runs it: the object that a crash throws away, the clock of the machine it
 * runs on, and a number for each life, so that whatever was meant for an earlier life finds nobody.
 */
import type { Turn } from "../core/kernel/turn.ts";
import type { DriftingClock } from "./clock.ts";
import { finish, hashText, mix } from "./keyed-random.ts";

/** Reused for every turn of one component: only `now` differs between them. */
export class ProcessTurn implements Turn {
  now = 0;
  private readonly base: number;

  constructor(base: number) {
    this.base = base;
  }

  random(site: string, subject: string): number {
    return finish(mix(mix(this.base, hashText(site)), hashText(subject)));
  }
}

export class ComponentProcess {
  /** Small and dense: partitions, routes and the run's hash speak of components by number. */
  readonly index: number;
  readonly name: string;
  readonly nameHash: number;
  readonly clock: DriftingClock;
  readonly turn: ProcessTurn;
  up = false;
  life = 0;
  /** Wall clock minus machine clock, fixed for one life. */
  offsetMs = 0;
  /** What a fault made of it; the next life reads it. */
  nextOffsetMs = 0;

  constructor(options: { index: number; name: string; clock: DriftingClock; seed: number }) {
    this.index = options.index;
    this.name = options.name;
    this.nameHash = hashText(options.name);
    this.clock = options.clock;
    this.turn = new ProcessTurn(mix(mix(0, options.seed), this.nameHash));
  }

  beginLife(): void {
    this.up = true;
    this.life++;
    this.offsetMs = this.nextOffsetMs;
  }

  /** The time the component is told. */
  readClock(trueMs: number): number {
    return this.clock.read(trueMs) + this.offsetMs;
  }

  trueTimeOf(ownMs: number): number {
    return this.clock.trueTimeOf(ownMs - this.offsetMs);
  }
}
