/**
 * When the next snapshot is due: after a number of changes, or after as many as there are objects
 * when there are more. What a snapshot costs to write is then always spread over as many changes,
 * and a restart reads at most about twice the state.
 */
import type { Commit } from "../core/protocol/commit-record.ts";

/** Reading this many changes takes a restart some tenths of a second. */
const CHANGES_PER_SNAPSHOT = 50_000;

export class SnapshotSchedule {
  private changes = 0;

  /** A snapshot was taken, and these are the commits after it. */
  begin(commits: readonly Commit[]): void {
    this.changes = 0;
    this.note(commits);
  }

  note(commits: readonly Commit[]): void {
    // Renewals of leases and other commits without a change still have to be read again.
    for (const { changes } of commits) this.changes += Math.max(1, changes.length);
  }

  isDue(objects: number): boolean {
    return this.changes >= Math.max(CHANGES_PER_SNAPSHOT, objects);
  }
}
