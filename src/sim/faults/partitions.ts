/** Which directions of which links are cut right now. */
import type { ComponentProcess } from "../hosts/component-process.ts";

interface Cut {
  /** -1 stands for every component. */
  readonly from: number;
  readonly to: number;
  readonly untilMs: number;
}

export const EVERYBODY = -1;

export class Partitions {
  private cuts: Cut[] = [];

  add(cut: Cut): void {
    this.cuts.push(cut);
  }

  isCut(from: ComponentProcess, to: ComponentProcess, nowMs: number): boolean {
    // Mostly nothing is cut, and every message asks.
    if (this.cuts.length === 0) return false;
    return this.cuts.some(
      (cut) =>
        cut.untilMs > nowMs &&
        (cut.from === EVERYBODY || cut.from === from.index) &&
        (cut.to === EVERYBODY || cut.to === to.index),
    );
  }

  forgetEnded(nowMs: number): void {
    this.cuts = this.cuts.filter(({ untilMs }) => untilMs > nowMs);
  }

  endAll(): void {
    this.cuts = [];
  }
}
