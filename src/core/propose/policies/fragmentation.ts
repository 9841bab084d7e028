/**
 * Places so that as little as possible of the devices becomes unusable for what is still to come.
 *
 * A device can be lost in four ways, and each has a measure of its own, in thousandths of a device:
 * a share leaves a hole that nothing fits into (`hole-waste.ts`); processors or memory of the node
 * run out before its devices do (`stranding.ts`); idle devices are not together where several are
 * wanted (`broken-blocks.ts`); work that would run anywhere takes the kind that other work insists
 * on (`kind-pressure.ts`). The score is what a placement adds to these, less being better, and a
 * little for nodes that are nearly full, so that ties are packed.
 *
 * All of them are expectations over the mix of asks, which is learned from the asks that have
 * arrived (`demand-mix.ts`). Fragmentation gradient descent (Weng et al., USENIX ATC 2023) asks
 * whether one more ask would fit and is told the mix; asking how far a node could be *filled* sees
 * a loss coming while it can still be avoided, and checking holes by the best use they may find
 * keeps them for it.
 */
import { type AskShape, type Fleet, WHOLE_UNIT } from "../fleet/fleet.ts";
import { tightestUnits, unitFits } from "../fleet/room.ts";
import { DemandMix } from "./fragmentation/demand-mix.ts";
import { ONE } from "./fragmentation/fixed-point.ts";
import { fullnessAfter } from "./fullness.ts";
import type { ScoringPolicy } from "./scoring-policy.ts";

/**
 * A broken block is lost only to those who want several devices together, and mends when its node
 * empties; a pressed kind can still be had elsewhere. The other losses are for good. On the
 * published workloads halves and doubles of these lose up to a quarter of a point more, and leaving
 * one out several where it matters.
 */
const BLOCKS_COUNT_ONE_IN = 8;
const KINDS_COUNT_ONE_IN = 4;

/**
 * Leaving one device more free on the node weighs as much as a 256th of a device: it breaks ties,
 * no more.
 */
const PACKING_ONE_IN = 256;

export const createFragmentation = (): ScoringPolicy => new Fragmentation();

class Fragmentation implements ScoringPolicy {
  readonly name = "fragmentation";
  private readonly mix = new DemandMix();

  get version(): number {
    return this.mix.version;
  }

  arrived(shape: AskShape): void {
    this.mix.learn(shape);
  }

  /**
   * One point is a thousandth of a device. Without devices it is best fit, a full node being 1000.
   */
  score(fleet: Fleet, row: number, shape: AskShape): number {
    const free = fleet.millisFree[row] ?? 0;
    if (free <= 0) return fullnessAfter(fleet, row, shape);
    const left = free - shape.units * shape.unitMillis;
    const lost = this.stranded(fleet, row, shape) + this.unitLoss(fleet, row, shape);
    return -Math.ceil((lost + Math.floor((left * ONE) / PACKING_ONE_IN)) / ONE);
  }

  units(fleet: Fleet, row: number, shape: AskShape): readonly number[] {
    return isShare(shape) ? [this.bestUnit(fleet, row, shape)] : tightestUnits(fleet, row, shape);
  }

  private stranded(fleet: Fleet, row: number, shape: AskShape): number {
    const { processors, memory } = this.mix;
    const free = fleet.millisFree[row] ?? 0;
    const left = free - shape.units * shape.unitMillis;
    const cpuFree = fleet.cpuFree[row] ?? 0;
    const memoryFree = fleet.memoryFree[row] ?? 0;
    return (
      processors.of(cpuFree - shape.cpuMillis, left) -
      processors.of(cpuFree, free) +
      memory.of(memoryFree - shape.memoryMiB, left) -
      memory.of(memoryFree, free)
    );
  }

  /** What is lost on the devices themselves, whichever of them are best to take. */
  private unitLoss(fleet: Fleet, row: number, shape: AskShape): number {
    if (shape.units === 0) return 0;
    const { blocks, holes, kinds } = this.mix;
    const free = fleet.millisFree[row] ?? 0;
    const idle = fleet.idleUnits[row] ?? 0;
    const left = free - shape.units * shape.unitMillis;
    const before = blocks.of(free, idle);
    if (!isShare(shape)) {
      const broken = blocks.of(left, idle - shape.units) - before;
      return weigh(broken, this.soughtAfter(fleet, row, shape));
    }
    const unit = this.bestUnit(fleet, row, shape);
    const hole = fleet.unitFree[unit] ?? 0;
    const wasted = (holes.waste[hole - shape.unitMillis] ?? 0) - (holes.waste[hole] ?? 0);
    const broken = blocks.of(left, hole === WHOLE_UNIT ? idle - 1 : idle) - before;
    const pressure = kinds.on(fleet)[fleet.unitKind[unit] ?? 0] ?? 0;
    return wasted + weigh(broken, pressure * shape.unitMillis);
  }

  /** How sought after the whole devices are that would be taken. */
  private soughtAfter(fleet: Fleet, row: number, shape: AskShape): number {
    const pressure = this.mix.kinds.on(fleet);
    let sought = 0;
    let found = 0;
    const end = fleet.unitStart[row + 1] ?? 0;
    for (let unit = fleet.unitStart[row] ?? 0; unit < end && found < shape.units; unit += 1) {
      if (!unitFits(fleet, unit, shape)) continue;
      found += 1;
      sought += (pressure[fleet.unitKind[unit] ?? 0] ?? 0) * WHOLE_UNIT;
    }
    return sought;
  }

  /** The unit on which the share loses least; the first of equals. The row must have room. */
  private bestUnit(fleet: Fleet, row: number, shape: AskShape): number {
    const { blocks, holes, kinds } = this.mix;
    const pressure = kinds.on(fleet);
    const idle = fleet.idleUnits[row] ?? 0;
    // What is free on the node in all does not depend on the unit, but whether one less is idle
    // does.
    const breaking = blocks.of(0, idle - 1) - blocks.of(0, idle);
    let best = -1;
    let least = 0;
    const end = fleet.unitStart[row + 1] ?? 0;
    for (let unit = fleet.unitStart[row] ?? 0; unit < end; unit += 1) {
      if (!unitFits(fleet, unit, shape)) continue;
      const hole = fleet.unitFree[unit] ?? 0;
      const sought = (pressure[fleet.unitKind[unit] ?? 0] ?? 0) * shape.unitMillis;
      let loss = (holes.waste[hole - shape.unitMillis] ?? 0) - (holes.waste[hole] ?? 0);
      loss += weigh(hole === WHOLE_UNIT ? breaking : 0, sought);
      if (best >= 0 && loss >= least) continue;
      best = unit;
      least = loss;
    }
    return best;
  }
}

const isShare = ({ units, unitMillis }: AskShape): boolean => units > 0 && unitMillis < WHOLE_UNIT;

const weigh = (broken: number, sought: number): number =>
  Math.floor(broken / BLOCKS_COUNT_ONE_IN) + Math.floor(sought / KINDS_COUNT_ONE_IN);
