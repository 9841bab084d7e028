/**
 * How many replicas were preempted in the last minute, by the authority's own clock. Of an earlier
 * leadership's clock nothing is known, so what happened under it counts as if it had happened when
 * the present one began.
 */
import type { PreemptedAt } from "../protocol/snapshot.ts";
import { PREEMPTED_WITHIN_MS } from "../model/preemption.ts";
import type { Commit } from "../protocol/commit-record.ts";

/**
 * Counted by whole seconds, rounded up: sixty numbers are kept, and none is forgotten too early.
 */
const STEP_MS = 1_000;

export class PreemptedLately {
  /** Oldest first. */
  private entries: PreemptedAt[] = [];
  private sum = 0;

  /** Only of commits that are in the log: the count is a fold of it, like everything else. */
  fold({ command, atMs, changes }: Commit): void {
    if (command === "lead") {
      this.entries = this.sum === 0 ? [] : [{ atMs, victims: this.sum }];
      return;
    }
    if (command !== "preempt") return;
    const victims = changes.filter(
      ({ after }) => after?.kind === "Replica" && after.status.stopping !== undefined,
    ).length;
    this.forgetBefore(atMs - PREEMPTED_WITHIN_MS);
    this.add(Math.ceil(atMs / STEP_MS) * STEP_MS, victims);
  }

  within(nowMs: number): number {
    let { sum } = this;
    for (const { atMs, victims } of this.entries) {
      if (atMs > nowMs - PREEMPTED_WITHIN_MS) break;
      sum -= victims;
    }
    return sum;
  }

  all(): readonly PreemptedAt[] {
    return this.entries;
  }

  restore(entries: readonly PreemptedAt[]): void {
    this.entries = [...entries];
    this.sum = entries.reduce((sum, { victims }) => sum + victims, 0);
  }

  private add(atMs: number, victims: number): void {
    const last = this.entries.at(-1);
    if (last?.atMs === atMs) this.entries.pop();
    const same = last?.atMs === atMs ? last.victims : 0;
    this.entries.push({ atMs, victims: same + victims });
    this.sum += victims;
  }

  private forgetBefore(ms: number): void {
    let old = 0;
    for (const { atMs, victims } of this.entries) {
      if (atMs > ms) break;
      old += 1;
      this.sum -= victims;
    }
    if (old > 0) this.entries.splice(0, old);
  }
}
