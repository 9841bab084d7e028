/**
 * One client's place in the log: how far it was told, and the commits of interest that wait beyond
 * that. Commits are put into the inbox once, when they become durable; a delivery takes those that
 * the plane at the other end has published. So a commit costs only those who want it, however many
 * are watching.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Revision } from "../../core/model/ids.ts";

export const NO_COMMITS: readonly Commit[] = [];

export class WatchStream {
  isOpen = false;
  cursor: Revision = 0;
  /** Whether a delivery is on its way: what is published meanwhile travels with it. */
  isScheduled = false;
  private inbox: Commit[] = [];
  private taken = 0;

  /**
   * Begins (again) after `revision`; `waiting` are the commits of interest that are durable
   * already.
   */
  open(revision: Revision, waiting: Commit[]): void {
    this.isOpen = true;
    this.cursor = revision;
    this.inbox = waiting;
    this.taken = 0;
  }

  close(): void {
    this.isOpen = false;
    this.inbox = [];
    this.taken = 0;
  }

  add(commit: Commit): void {
    this.inbox.push(commit);
  }

  /** Whether something of interest was published up to `revision`. */
  hasUpTo(revision: Revision): boolean {
    const next = this.inbox[this.taken];
    return next !== undefined && next.revision <= revision;
  }

  /** Moves the cursor to `to` and hands over what it passes. */
  take(to: Revision): readonly Commit[] {
    this.cursor = to;
    const { inbox, taken } = this;
    if (taken === inbox.length) return NO_COMMITS;
    let end = taken;
    while (end < inbox.length && (inbox[end] as Commit).revision <= to) end++;
    if (end === taken) return NO_COMMITS;
    if (end === inbox.length) {
      this.inbox = [];
      this.taken = 0;
      return taken === 0 ? inbox : inbox.slice(taken);
    }
    this.taken = end;
    return inbox.slice(taken, end);
  }
}
