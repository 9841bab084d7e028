/**
 * One view and all who read it. Commits are only noted when they are published; which rows they
 * touch is found out later, at most ten times a second, and each touched row is computed once for
 * all who watch. Without watchers there is no view and nothing is noted.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Revision } from "../../core/model/ids.ts";
import type { HostClock } from "../../host/host-clock.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import type { View } from "./view.ts";
import { VIEW_COLUMNS, type ViewName } from "./view-rows.ts";

export interface RowReader {
  /** The row may be another now, or gone. */
  mark(key: string): void;
  /**
   * Sends what is marked, as far as the reader takes it. True: there is more that could be sent
   * soon.
   */
  flush(textOf: TextOf): boolean;
  end(): void;
}

/** A row as JSON; undefined: there is none. */
export type TextOf = (key: string) => string | undefined;

export interface FeedOf {
  readonly name: ViewName;
  readonly plane: Pick<PlanePort, "revision" | "onPublish" | "isShared" | "isLeading">;
  readonly clock: HostClock;
  readonly create: () => View;
  /** Whether it rests on what controllers say, which only the plane that leads knows. */
  readonly needsLead: boolean;
  readonly everyMs: number;
  readonly onFailure: (error: unknown) => void;
  /** Left out: real timers. Returns how to call it off. */
  readonly later?: (act: () => void, ms: number) => () => void;
}

/**
 * Of the time that telling took, so much is rested: views may take a tenth of the loop, and no
 * more.
 */
const REST = 9;
/** However long it took, people want to see something move. */
const LONGEST_REST_MS = 2_000;

export class ViewFeed {
  readonly of: FeedOf;
  /** Each with the one row that it wants; undefined: all of them. */
  private readonly readers = new Map<RowReader, string | undefined>();
  private view: View | undefined;
  private stops: readonly (() => void)[] = [];
  private pending: Commit[] = [];
  private at: Revision = 0;
  private restMs: number;
  private cancel: (() => void) | undefined;

  constructor(of: FeedOf) {
    this.of = of;
    this.restMs = of.everyMs;
  }

  get revision(): Revision {
    return this.of.plane.revision;
  }

  /** Another leads: what its controllers say is not known here. */
  get isDeposed(): boolean {
    const { needsLead, plane } = this.of;
    return needsLead && plane.isShared && !plane.isLeading;
  }

  /** The beginning of a line, up to what is particular to it. */
  head(type?: "table" | "rows" | "bookmark"): string {
    const { name, clock } = this.of;
    const kind = type === undefined ? "" : `"type":"${type}",`;
    const moment = `"revision":${this.revision},"at":${clock.nowMs()}`;
    if (type === "rows" || type === "bookmark") return `{${kind}${moment}`;
    return `{${kind}"view":"${name}",${moment},"columns":${JSON.stringify(VIEW_COLUMNS[name])}`;
  }

  /**
   * Returns the keys that the reader begins with, and how to leave. Whatever of them is touched
   * from now on is marked.
   */
  join(
    reader: RowReader,
    only?: string,
  ): { readonly keys: readonly string[]; readonly leave: () => void } {
    const view = (this.view ??= this.begin());
    this.readers.set(reader, only);
    return {
      keys: only === undefined ? view.keys() : [only],
      leave: () => {
        this.readers.delete(reader);
        if (this.readers.size === 0) this.stop();
      },
    };
  }

  textOf(key: string): string | undefined {
    const row = this.view?.row(key);
    return row === undefined ? undefined : JSON.stringify(row);
  }

  /** Marks all that has changed so far, for a reader that wants to know at once. */
  catchUp(): void {
    this.note();
    this.schedule();
  }

  private note(): void {
    const { view, pending } = this;
    if (view === undefined) return;
    this.pending = [];
    if (pending.length > 0) for (const key of view.touched(pending)) this.mark(key);
    for (const key of view.settle?.() ?? []) this.mark(key);
  }

  schedule(): void {
    if (this.cancel !== undefined || this.readers.size === 0) return;
    this.cancel = (this.of.later ?? realLater)(() => this.tell(), this.restMs);
  }

  /**
   * A reader that cannot be told is better off beginning anew, as are all others of a view that
   * fails.
   */
  fail(error: unknown): void {
    this.of.onFailure(error);
    for (const reader of this.readers.keys()) reader.end();
  }

  private begin(): View {
    const { plane, create } = this.of;
    const view = create();
    this.at = plane.revision;
    this.stops = [
      plane.onPublish((commits, to) => this.published(commits, to)),
      view.listen?.((key) => {
        this.mark(key);
        this.schedule();
      }) ?? (() => {}),
    ];
    return view;
  }

  private stop(): void {
    for (const stop of this.stops) stop();
    this.stops = [];
    this.view = undefined;
    this.pending = [];
    this.cancel?.();
    this.cancel = undefined;
    this.restMs = this.of.everyMs;
  }

  private published(commits: readonly Commit[], to: Revision): void {
    // A plane that goes on from a snapshot is told nothing of what lay between: all begin anew.
    const isLeap = (commits[0]?.revision ?? to) > this.at + 1;
    this.at = to;
    if (isLeap) for (const reader of this.readers.keys()) reader.end();
    for (const commit of commits) this.pending.push(commit);
    if (commits.length > 0) this.schedule();
  }

  private mark(key: string): void {
    for (const [reader, only] of this.readers) {
      if (only === undefined || only === key) reader.mark(key);
    }
  }

  private tell(): void {
    this.cancel = undefined;
    const began = performance.now();
    try {
      this.note();
      const texts = new Map<string, string | undefined>();
      const textOf = (key: string): string | undefined => {
        if (!texts.has(key)) texts.set(key, this.textOf(key));
        return texts.get(key);
      };
      let isMore = false;
      for (const reader of this.readers.keys()) isMore = reader.flush(textOf) || isMore;
      if (isMore) this.schedule();
    } catch (error) {
      this.fail(error);
    }
    const restMs = Math.min((performance.now() - began) * REST, LONGEST_REST_MS);
    this.restMs = Math.max(this.of.everyMs, restMs);
  }
}

function realLater(act: () => void, ms: number): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}
