/**
 * What is asked for, learned from what has arrived and from nothing else. Only asks that want
 * devices count: they are what a device can be lost to. What was learned takes effect now and then,
 * because every time it does all scores have to be worked out anew.
 */
import type { AskShape } from "../../fleet/fleet.ts";
import { BrokenBlocks } from "./broken-blocks.ts";
import { HoleWaste } from "./hole-waste.ts";
import { KindPressure } from "./kind-pressure.ts";
import { Stranding } from "./stranding.ts";

/**
 * So many asks make a mix. At first it takes effect at every doubling, afterwards every half of
 * this, and what came before then counts half: the mix of last month is not the one of today.
 */
const WINDOW = 16_384;

export class DemandMix {
  /** Grows whenever what was learned takes effect. */
  version = 0;
  readonly processors = new Stranding();
  readonly memory = new Stranding();
  readonly holes = new HoleWaste();
  readonly blocks = new BrokenBlocks();
  readonly kinds = new KindPressure();
  private asks = 0;
  private millis = 0;
  private nextAt = 1;

  learn({ cpuMillis, memoryMiB, units, unitMillis, kinds }: AskShape): void {
    if (units === 0) return;
    const millis = units * unitMillis;
    this.processors.learn(cpuMillis, millis);
    this.memory.learn(memoryMiB, millis);
    this.holes.learn(unitMillis);
    this.blocks.learn(units, millis);
    this.kinds.learn(kinds, millis);
    this.millis += millis;
    this.asks += 1;
    if (this.asks === this.nextAt) this.settle();
  }

  private settle(): void {
    this.processors.settle(this.millis);
    this.memory.settle(this.millis);
    this.holes.settle();
    this.blocks.settle(this.millis);
    this.kinds.settle(this.millis);
    this.version += 1;
    if (this.asks < WINDOW) this.nextAt = this.asks * 2;
    else this.forgetHalf();
  }

  private forgetHalf(): void {
    for (const part of [this.processors, this.memory, this.holes, this.blocks, this.kinds]) {
      part.halve();
    }
    this.millis = Math.floor(this.millis / 2);
    this.asks = WINDOW / 2;
  }
}
