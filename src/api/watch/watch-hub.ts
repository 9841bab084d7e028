/**
 * All watchers of one server. The plane publishes in the middle of its own turn, so commits are
 * only noted then and shown in the next turn of the event loop; a slow renderer delays watchers,
 * never commits.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { JoinedLines } from "../http/joined-lines.ts";
import { type ShownEvent, shownEvents } from "../list/shown-event.ts";

export interface Watcher {
  readonly kind: AnyObject["kind"];
  /** Events of the kind in order of revision; `to` is how far the stream has come. */
  show(events: readonly ShownEvent[], to: Revision): void;
  /** The server is closing. */
  end(): void;
}

export interface CommitReader {
  read(commits: readonly Commit[], to: Revision): void;
  end(): void;
}

/** The longest that watchers wait so that others get their turn: clients do not notice it. */
const LONGEST_REST_MS = 50;
/** Below this a rest would cost more than it gives. */
const SHORTEST_REST_MS = 2;

export class WatchHub {
  readonly joined = new JoinedLines();
  private readonly plane: PlanePort;
  private readonly onFailure: (error: unknown) => void;
  private readonly onTold: (lagMs: number) => void;
  private readonly watchers = new Map<AnyObject["kind"], Set<Watcher>>();
  private readonly readers = new Set<CommitReader>();
  private readonly stopListening: () => void;
  private pending: Commit[] = [];
  private pendingTo: Revision;
  private isScheduled = false;
  private restUntilMs = 0;
  private pendingSinceMs = 0;

  constructor(of: {
    readonly plane: PlanePort;
    readonly onCommits: (commits: readonly Commit[]) => void;
    readonly onFailure: (error: unknown) => void;
    /** With how long the first of what was told had waited. */
    readonly onTold: (lagMs: number) => void;
  }) {
    this.plane = of.plane;
    this.onFailure = of.onFailure;
    this.onTold = of.onTold;
    this.pendingTo = of.plane.revision;
    this.stopListening = of.plane.onPublish((commits, to) => {
      of.onCommits(commits);
      for (const commit of commits) this.pending.push(commit);
      this.pendingTo = to;
      this.schedule();
    });
  }

  get size(): number {
    let watchers = this.readers.size;
    for (const ofKind of this.watchers.values()) watchers += ofKind.size;
    return watchers;
  }

  add(watcher: Watcher): () => void {
    const ofKind = this.watchers.get(watcher.kind) ?? new Set();
    this.watchers.set(watcher.kind, ofKind);
    ofKind.add(watcher);
    return () => void ofKind.delete(watcher);
  }

  addReader(reader: CommitReader): () => void {
    this.readers.add(reader);
    return () => void this.readers.delete(reader);
  }

  close(): void {
    this.stopListening();
    this.endAll();
  }

  private endAll(): void {
    for (const ofKind of this.watchers.values()) for (const watcher of ofKind) watcher.end();
    for (const reader of this.readers) reader.end();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.pendingSinceMs = performance.now();
    const restMs = this.restUntilMs - this.pendingSinceMs;
    if (restMs < SHORTEST_REST_MS) setImmediate(() => this.flush());
    else setTimeout(() => this.flush(), restMs);
  }

  private flush(): void {
    this.isScheduled = false;
    const began = performance.now();
    const commits = this.pending;
    const to = this.pendingTo;
    this.pending = [];
    try {
      const isWatched = (kind: AnyObject["kind"]): boolean =>
        (this.watchers.get(kind)?.size ?? 0) > 0;
      const events = shownEvents(commits, this.plane.objects, isWatched);
      const byKind = grouped(events);
      for (const [kind, ofKind] of this.watchers) {
        for (const watcher of ofKind) watcher.show(byKind.get(kind) ?? [], to);
      }
      this.joined.forget();
      for (const reader of this.readers) reader.read(commits, to);
    } catch (error) {
      // Some may have missed an event: a client that comes back resumes from its last revision.
      this.endAll();
      this.onFailure(error);
    }
    this.onTold(performance.now() - this.pendingSinceMs);
    this.restAfter(began);
  }

  /**
   * Telling a crowd takes a while, most of it in writes to sockets, which come right after this
   * turn. As long as it took nothing more is told: others get half of the time, and the crowd is
   * told more at once.
   */
  private restAfter(began: number): void {
    process.nextTick(() => {
      const now = performance.now();
      this.restUntilMs = now + Math.min(now - began, LONGEST_REST_MS);
    });
  }
}

function grouped(events: readonly ShownEvent[]): Map<AnyObject["kind"], ShownEvent[]> {
  const byKind = new Map<AnyObject["kind"], ShownEvent[]>();
  for (const event of events) {
    if (event.kind === undefined) continue;
    const ofKind = byKind.get(event.kind) ?? [];
    byKind.set(event.kind, ofKind);
    ofKind.push(event);
  }
  return byKind;
}
