/** The newest commits, kept in memory for watchers that resume; older ones mean listing again. */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { ObjectKey, Revision } from "../core/model/ids.ts";

/**
 * A client that was away for a minute on a plane making a thousand changes a second still resumes;
 * at about half a kilobyte a change (what it led to is shared with the index) this is some thirty
 * megabytes. Changes are counted and not commits, because one commit may bind a thousand replicas.
 */
const CHANGES_KEPT = 65_536;

export class History {
  private commits: Commit[] = [];
  private changes = 0;
  private begin: Revision = 0;
  private readonly kept: number;
  /**
   * When objects were deleted, oldest first: what a deletion ends is found by no object that is
   * there.
   */
  private ends = new Map<ObjectKey, Revision[]>();

  constructor(kept = CHANGES_KEPT) {
    this.kept = kept;
  }

  add(commits: readonly Commit[]): void {
    for (const commit of commits) {
      this.commits.push(commit);
      this.changes += weightOf(commit);
      this.noteEnds(commit);
    }
    // Cutting only at twice the size makes the cost of it vanish.
    if (this.changes > 2 * this.kept) this.cut();
  }

  private cut(): void {
    let from = this.commits.length;
    let changes = 0;
    while (from > 0 && changes < this.kept) {
      from -= 1;
      changes += weightOf(this.commits[from] as Commit);
    }
    this.commits = this.commits.slice(from);
    this.changes = changes;
    this.ends = new Map();
    for (const commit of this.commits) this.noteEnds(commit);
  }

  private noteEnds({ revision, changes }: Commit): void {
    for (const { key, after } of changes) {
      if (after !== undefined) continue;
      const known = this.ends.get(key);
      if (known === undefined) this.ends.set(key, [revision]);
      else known.push(revision);
    }
  }

  /** What comes next does not continue what is here: a watcher before it has to list again. */
  beginAfter(revision: Revision): void {
    this.commits = [];
    this.changes = 0;
    this.ends = new Map();
    this.begin = revision;
  }

  /** The commit of this revision, if it is still here. */
  at(revision: Revision): Commit | undefined {
    const oldest = this.commits[0]?.revision;
    return oldest === undefined ? undefined : this.commits[revision - oldest];
  }

  /**
   * When an object of this name was last deleted before a revision, as far as that is still here.
   */
  lastEnd(key: ObjectKey, before: Revision): Revision | undefined {
    return this.ends.get(key)?.findLast((revision) => revision < before);
  }

  /** The revision after which every commit is here. */
  get start(): Revision {
    return (this.commits[0]?.revision ?? this.begin + 1) - 1;
  }

  /**
   * Commits after `from`; undefined when some of them are no longer here. `head` is the newest
   * revision.
   */
  since(from: Revision, head: Revision): readonly Commit[] | undefined {
    if (from >= head) return [];
    const oldest = this.commits[0]?.revision;
    if (oldest === undefined || from + 1 < oldest) return undefined;
    return this.commits.slice(from + 1 - oldest);
  }
}

/** A commit without changes takes room, too. */
const weightOf = ({ changes }: Commit): number => Math.max(1, changes.length);
