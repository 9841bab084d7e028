/**
 * The durable log, as a fenced store keeps it: one array, one highest epoch. An append lands whole or not
 * at all, and the check of its epoch is one step with its landing.
 */
import { assert } from "../core/assert.ts";
import type { Commit } from "../core/commit/commit-record.ts";
import type { Epoch } from "../core/model/ids.ts";

export class StoreModel {
  readonly commits: Commit[] = [];
  epoch: Epoch = 0;

  /** From here on every lower epoch is fenced. */
  claim(): Epoch {
    this.epoch += 1;
    return this.epoch;
  }

  isFenced(epoch: Epoch): boolean {
    return epoch < this.epoch;
  }

  /** Makes one commit durable; the caller has made sure that its epoch is not fenced. */
  land(commit: Commit): void {
    assert(
      commit.revision === this.commits.length + 1,
      `An append continues the log at revision ${commit.revision}, but the log ends at ${this.commits.length}.`,
    );
    assert(
      commit.epoch === this.epoch,
      `A commit of epoch ${commit.epoch} was appended under epoch ${this.epoch}.`,
    );
    this.commits.push(commit);
  }
}
