/**
 * One component as the simulator runs it: the object that a crash discards, the clock of its
 * machine, and an incarnation number, so that messages for an earlier incarnation are dropped.
 */
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import { KeyedTurn } from "../../core/kernel/keyed-turn.ts";
import type { DriftingClock } from "../faults/clock.ts";

const WALL_CLOCK = hashText("wall-clock");
/**
 * Wall clocks differ even without faults, so that a comparison of times of two machines is found.
 */
const WALL_CLOCK_SPREAD_MS = 30_000;

export class ComponentProcess {
  /** Small and dense: partitions, routes and the run's hash name components by number. */
  readonly index: number;
  readonly name: string;
  readonly nameHash: number;
  readonly clock: DriftingClock;
  readonly turn: KeyedTurn;
  up = false;
  incarnation = 0;
  /** Wall clock minus machine clock, fixed for one incarnation. */
  offsetMs = 0;
  /** Set by a fault; the next incarnation reads it. */
  nextOffsetMs: number;

  constructor(options: { index: number; name: string; clock: DriftingClock; seed: number }) {
    this.index = options.index;
    this.name = options.name;
    this.nameHash = hashText(options.name);
    this.clock = options.clock;
    const draw = keyed(options.seed, WALL_CLOCK, this.nameHash, 0, 0);
    this.nextOffsetMs = between(draw, -WALL_CLOCK_SPREAD_MS, WALL_CLOCK_SPREAD_MS);
    this.turn = new KeyedTurn(options.seed, options.name);
  }

  beginIncarnation(): void {
    this.up = true;
    this.incarnation++;
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
