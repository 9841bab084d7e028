/** All objectives there are, with what was measured for each. */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Slo } from "../../core/model/objects.ts";
import type { Measured, MeasureSink } from "./measured.ts";
import { SloCount, type SloReading } from "./slo-count.ts";

/** Each is asked about every bind, and has series of its own; more than these are not measured. */
const SLOS_MEASURED = 64;

export class SloMeters implements MeasureSink {
  private readonly counts = new Map<ObjectKey, SloCount>();

  get isWanted(): boolean {
    return this.counts.size > 0;
  }

  take({ indicator, value, atMs, priorityClass = "" }: Measured): void {
    for (const count of this.counts.values()) {
      const { spec } = count;
      if (spec.indicator !== indicator) continue;
      if (spec.priorityClass !== undefined && spec.priorityClass !== priorityClass) continue;
      count.add(value, atMs);
    }
  }

  /** What was measured against another threshold says nothing of this one. */
  fold(before: Slo | undefined, after: Slo | undefined, nowMs: number): void {
    const some = after ?? before;
    if (some === undefined) return;
    if (after === undefined) this.counts.delete(some.key);
    else if (before === undefined || before.meta.generation !== after.meta.generation) {
      if (this.counts.size >= SLOS_MEASURED && !this.counts.has(after.key)) return;
      this.counts.set(after.key, new SloCount(after.spec, nowMs));
    }
  }

  /** Undefined of one that is not measured. */
  read(key: ObjectKey, nowMs: number): SloReading | undefined {
    return this.counts.get(key)?.read(nowMs);
  }

  keys(): Iterable<ObjectKey> {
    return this.counts.keys();
  }
}
