/**
 * What a plane may show: everything durable, folded, with the newest commits at hand for watchers. Commits
 * are staged when they are appended (or loaded) and published when the authority says they are durable.
 */
import type { Commit } from "../core/commit/commit-record.ts";
import type { Snapshot } from "../core/commit/snapshot.ts";
import type { Revision } from "../core/model/ids.ts";
import { ObjectIndex } from "../core/observe/object-index.ts";
import { History } from "./history.ts";

export class PublishedLog {
  objects = new ObjectIndex();
  revision: Revision = 0;
  private readonly history = new History();
  /** Durable or on the way there, and not published yet. */
  private staged: Commit[] = [];

  /** The log was claimed: what was staged before may have landed or not, and this is the answer. */
  load(snapshot: Snapshot | undefined, commits: readonly Commit[]): void {
    if (snapshot !== undefined && snapshot.revision > this.revision) {
      this.objects = new ObjectIndex();
      for (const after of snapshot.objects) {
        this.objects.fold({ key: after.key, before: undefined, after });
      }
      this.revision = snapshot.revision;
    }
    this.staged = commits.filter(({ revision }) => revision > this.revision);
  }

  stage(commits: readonly Commit[]): void {
    for (const commit of commits) this.staged.push(commit);
  }

  publish(to: Revision): readonly Commit[] {
    const end = this.staged.findIndex(({ revision }) => revision > to);
    const commits = this.staged.splice(0, end < 0 ? this.staged.length : end);
    for (const { changes } of commits) {
      for (const change of changes) this.objects.fold(change);
    }
    if (to > this.revision) this.revision = to;
    this.history.add(commits);
    return commits;
  }

  since(from: Revision = this.history.start): readonly Commit[] | undefined {
    return this.history.since(from, this.revision);
  }
}
