/**
 * What a plane may show: everything durable, folded, with the newest commits at hand for watchers.
 * Commits are staged when they are appended (or loaded) and published when the authority says they
 * are durable.
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { Snapshot } from "../core/protocol/snapshot.ts";
import { KINDS, type ObjectKey, type Revision } from "../core/model/ids.ts";
import { ObjectIndex } from "../core/observe/object-index.ts";
import { History } from "./history.ts";

export class PublishedLog {
  readonly objects = new ObjectIndex();
  revision: Revision = 0;
  /**
   * How often it went on from a snapshot instead of from commits; watchers missed the commits
   * between.
   */
  leaps = 0;
  readonly history = new History();
  /** Durable or on the way there, and not published yet. */
  private staged: Commit[] = [];

  /** The log was claimed: what was staged before may have landed or not, and this is the answer. */
  load(snapshot: Snapshot | undefined, commits: readonly Commit[]): void {
    if (snapshot !== undefined && snapshot.revision > this.revision) {
      this.leapTo(snapshot);
    }
    this.staged = commits.filter(({ revision }) => revision > this.revision);
  }

  /** The same index, because others look into it. */
  private leapTo({ objects, revision }: Snapshot): void {
    this.leaps += 1;
    if (this.objects.size > 0) this.dropAllBut(new Set(objects.map(({ key }) => key)));
    for (const after of objects) this.objects.fold({ key: after.key, before: undefined, after });
    this.revision = revision;
    this.history.beginAfter(revision);
  }

  private dropAllBut(kept: ReadonlySet<ObjectKey>): void {
    for (const kind of KINDS) {
      for (const [key, before] of this.objects.all(kind)) {
        if (!kept.has(key)) this.objects.fold({ key, before, after: undefined });
      }
    }
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

  /** The end of what was given to the log: others may show it before we hear that it is there. */
  get sentTo(): Revision {
    return this.staged.at(-1)?.revision ?? this.revision;
  }

  since(from: Revision = this.history.start): readonly Commit[] | undefined {
    return this.history.since(from, this.revision);
  }
}
