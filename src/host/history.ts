/** The newest commits, kept in memory for watchers that resume; older ones mean listing again. */
import type { Commit } from "../core/commit/commit-record.ts";
import type { Revision } from "../core/model/ids.ts";

/**
 * A client that was away for a minute on a plane doing a thousand commits a second still resumes; at about
 * half a kilobyte a commit (objects are shared with the index) this is some thirty megabytes.
 */
const COMMITS_KEPT = 65_536;

export class History {
  private commits: Commit[] = [];
  private readonly kept: number;

  constructor(kept = COMMITS_KEPT) {
    this.kept = kept;
  }

  add(commits: readonly Commit[]): void {
    for (const commit of commits) this.commits.push(commit);
    // Cutting only at twice the size makes the cost of it vanish.
    if (this.commits.length > 2 * this.kept) this.commits = this.commits.slice(-this.kept);
  }

  /** Commits after `from`; undefined when some of them are no longer here. `head` is the newest revision. */
  since(from: Revision, head: Revision): readonly Commit[] | undefined {
    if (from >= head) return [];
    const oldest = this.commits[0]?.revision;
    if (oldest === undefined || from + 1 < oldest) return undefined;
    return this.commits.slice(from + 1 - oldest);
  }
}
