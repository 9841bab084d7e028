/**
 * The demands of every store on its writer. A breach is a broken authority, which must not go on.
 */
import { assert } from "../../core/model/assert.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { Epoch, Revision } from "../../core/model/ids.ts";

/**
 * How many revisions before a snapshot stay readable. A watcher that was away for a while goes on
 * from where it was instead of listing everything: at 150 changes a second this is the five minutes
 * that etcd grants the watchers of a Kubernetes cluster, and it costs some 50 MB of disk.
 */
export const KEPT_REVISIONS = 50_000;

/** A batch is of one epoch, and its revisions follow each other. */
export function assertBatch(epoch: Epoch, commits: readonly Commit[]): void {
  const first = commits[0]?.revision ?? 0;
  for (const [at, commit] of commits.entries()) {
    assert(
      commit.epoch === epoch,
      `A commit of epoch ${commit.epoch} was appended under epoch ${epoch}.`,
    );
    assert(
      commit.revision === first + at,
      `A batch jumps to revision ${commit.revision} where ${first + at} comes next.`,
    );
  }
}

export function assertContinues(end: Revision, commits: readonly Commit[]): void {
  const first = commits[0];
  assert(
    first === undefined || first.revision === end + 1,
    `An append continues the log at revision ${first?.revision}, but the log ends at ${end}.`,
  );
}

/** A snapshot of state that is not durable yet would outlive its commits. */
export function assertSnapshotOf(end: Revision, { revision }: Pick<Snapshot, "revision">): void {
  assert(
    revision <= end,
    `A snapshot of revision ${revision} was handed to a log that ends at ${end}.`,
  );
}
