/** The newest commits, kept in memory for watchers that resume; older ones mean listing again. */
import type { Commit } from "../core/commit/commit-record.ts";
import type { Revision } from "../core/model/ids.ts";

/**
 * A client that was away for a minute on a plane making a thousand changes a second still resumes; at about
 * half a kilobyte a change (what it led to is shared with the index) this is some thirty megabytes. Changes
 * are counted and not commits, because one commit may bind a thousand replicas.
 */
const CHANGES_KEPT = 65_536;

export class History {
  private commits: Commit[] = [];
  private changes = 0;
  private begin: Revision = 0;
  private readonly kept: number;

  constructor(kept = CHANGES_KEPT) {
    this.kept = kept;
  }

  add(commits: readonly Commit[]): void {
    for (const commit of commits) {
      this.commits.push(commit);
      this.changes += weightOf(commit);
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
  }

  /** What comes next does not continue what is here: whoever would resume before it has to list again. */
  beginAfter(revision: Revision): void {
    this.commits = [];
    this.changes = 0;
    this.begin = revision;
  }

  /** The revision after which every commit is here. */
  get start(): Revision {
    return (this.commits[0]?.revision ?? this.begin + 1) - 1;
  }

  /** Commits after `from`; undefined when some of them are no longer here. `head` is the newest revision. */
  since(from: Revision, head: Revision): readonly Commit[] | undefined {
    if (from >= head) return [];
    const oldest = this.commits[0]?.revision;
    if (oldest === undefined || from + 1 < oldest) return undefined;
    return this.commits.slice(from + 1 - oldest);
  }
}

/** A commit without changes takes room, too. */
const weightOf = ({ changes }: Commit): number => Math.max(1, changes.length);
