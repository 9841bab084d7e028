/** Counts binds as they are published, and how long each replica waited for its own. */
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { type ObjectKey, workloadKey } from "../../src/core/model/ids.ts";
import type { CurvePoint } from "../measure/bound-curve.ts";

/** How often is looked whether anything still happens. */
const LOOK_EVERY_MS = 20;

export class BoundCount {
  count = 0;
  lastMs = 0;
  readonly curve: CurvePoint[] = [];
  private readonly wanted: number;
  private readonly waitsMs: Float64Array;
  private readonly submittedMs = new Map<ObjectKey, number>();
  private startMs = 0;

  constructor(wanted: number) {
    this.wanted = wanted;
    this.waitsMs = new Float64Array(wanted);
  }

  begin(startMs: number): void {
    this.startMs = startMs;
    this.lastMs = startMs;
    this.curve.push([0, 0]);
  }

  submitted(workload: ObjectKey, atMs: number): void {
    this.submittedMs.set(workload, atMs);
  }

  see(commits: readonly Commit[], nowMs: number): void {
    const before = this.count;
    for (const { changes } of commits) {
      for (const change of changes) {
        const { before: was, after: is } = change;
        if (is?.kind !== "Replica" || is.status.stage !== "bound") continue;
        if (was?.kind === "Replica" && was.status.stage === "bound") continue;
        const key = workloadKey(is.meta.namespace, is.spec.workload);
        this.waitsMs[this.count] = nowMs - (this.submittedMs.get(key) ?? this.startMs);
        this.count += 1;
      }
    }
    if (this.count === before) return;
    this.lastMs = nowMs;
    this.curve.push([Math.round(nowMs - this.startMs), this.count]);
  }

  perSecond(): number {
    return Math.round((this.count * 1000) / Math.max(this.lastMs - this.startMs, 1));
  }

  waits(): Float64Array {
    return this.waitsMs.subarray(0, this.count);
  }

  /** Resolves when all are bound, or when none was for so long that none will be. */
  all(patienceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setInterval(() => {
        const isOver = this.count >= this.wanted || performance.now() - this.lastMs > patienceMs;
        if (!isOver) return;
        clearInterval(timer);
        resolve();
      }, LOOK_EVERY_MS);
    });
  }
}
