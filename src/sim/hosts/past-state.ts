/**
 * All objects as of an earlier revision: what a plane that lags, or a list served from a stale
 * replica, still shows. Commits carry both sides of every change, so one index can be wound either
 * way.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Revision } from "../../core/model/ids.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";

export class PastState {
  private readonly commits: readonly Commit[];
  private readonly objects = new ObjectIndex();
  private revision: Revision = 0;

  constructor(commits: readonly Commit[]) {
    this.commits = commits;
  }

  /** Valid until the next call. */
  at(revision: Revision): ObjectIndex {
    while (this.revision < revision) {
      for (const change of this.commits[this.revision]?.changes ?? []) this.objects.fold(change);
      this.revision++;
    }
    while (this.revision > revision) {
      this.revision--;
      const changes = this.commits[this.revision]?.changes ?? [];
      for (const { key, before, after } of changes.toReversed()) {
        this.objects.fold({ key, before: after, after: before });
      }
    }
    return this.objects;
  }
}
