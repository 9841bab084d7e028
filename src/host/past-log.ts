/**
 * What became of one object, and when: found by following each value back to the commit that wrote
 * it, which the value itself names, so that it costs as much as there is to tell and no index is
 * kept for it. Commits older than those in memory are read from the store, as far as the store
 * keeps it.
 */
import type { Change, Commit } from "../core/protocol/commit-record.ts";
import type { ObjectKey, Revision } from "../core/model/ids.ts";
import type { AnyObject } from "../core/model/objects.ts";
import type { KeptPart } from "./backup/kept-log.ts";
import type { PublishedLog } from "./published-log.ts";
import type { ChainHead } from "./store/chain-link.ts";
import { LogCompacted, type LogStore, type StoredCommit } from "./store/log-store.ts";

/** One commit that changed the object. */
export interface Touch {
  readonly commit: Omit<Commit, "changes"> & { readonly changes: readonly Pick<Change, "key">[] };
  readonly change: Change;
}

export interface Touches {
  /** Newest first. */
  readonly touches: readonly Touch[];
  /**
   * The revision of an older commit that changed it and is not in memory; undefined when there is
   * none.
   */
  readonly olderAt: Revision | undefined;
}

export interface OlderTouches {
  readonly touches: readonly Touch[];
  /** After which revision everything was looked at. */
  readonly from: Revision;
  /**
   * How the search ended: at its beginning, at what the store no longer has, or at the bound on one
   * search.
   */
  readonly end: "made" | "compacted" | "bound";
}

export type FoundRevision =
  | { readonly kind: "found"; readonly revision: Revision }
  | {
      readonly kind: "too-old";
      /** The oldest commit that is kept. */
      readonly oldest: Revision;
      readonly oldestMs: number | undefined;
    };

/** Read at once: about a megabyte, and some ten milliseconds. */
const PAGE = 1_000;

const DIGIT_0 = 48;
const DIGIT_9 = 57;

/** A uid begins with the revision that made its object. */
export function isMadeAt(object: AnyObject | undefined, revision: Revision): boolean {
  const start = `u${revision}`;
  if (object?.meta.uid.startsWith(start) !== true) return false;
  const next = object.meta.uid.charCodeAt(start.length);
  return !(next >= DIGIT_0 && next <= DIGIT_9);
}

type KeptStore = Pick<LogStore, "read" | "copy" | "chainHead">;

export class PastLog {
  private readonly log: PublishedLog;
  private readonly store: KeptStore;

  constructor(log: PublishedLog, store: KeptStore) {
    this.log = log;
    this.store = store;
  }

  /** All that the log holds, for a backup; undefined when it keeps nothing that could be lost. */
  copy(): AsyncIterable<KeptPart> | undefined {
    return this.store.copy?.();
  }

  /** Where the chain of batches ends; undefined when nothing is kept that says it. */
  async chainHead(): Promise<ChainHead | undefined> {
    return this.store.chainHead?.();
  }

  /** The revision after which every commit is in memory. */
  get start(): Revision {
    return this.log.history.start;
  }

  commit(revision: Revision): Commit | undefined {
    return this.log.history.at(revision);
  }

  /** The object as it was at a revision that is in memory. */
  objectAt(key: ObjectKey, revision: Revision): AnyObject | undefined {
    let held = this.log.objects.get(key);
    for (const { commit, change } of this.walk(key)) {
      if (commit.revision <= revision) break;
      held = change.before;
    }
    return held !== undefined && held.meta.revision <= revision ? held : undefined;
  }

  /**
   * The commits in memory that changed the object, at most so many, and its namesakes of before.
   */
  touches(key: ObjectKey, { upTo, most }: { upTo: Revision; most: number }): Touches {
    const touches: Touch[] = [];
    let held = this.log.objects.get(key);
    for (const touch of this.walk(key)) {
      const { revision } = touch.commit;
      if (revision <= upTo && touches.length === most) return { touches, olderAt: revision };
      if (revision <= upTo) touches.push(touch);
      held = touch.change.before;
    }
    return { touches, olderAt: held?.meta.revision };
  }

  private *walk(key: ObjectKey): Iterable<Touch> {
    const { history, objects } = this.log;
    let at = objects.get(key)?.meta.revision ?? history.lastEnd(key, Number.POSITIVE_INFINITY);
    while (at !== undefined) {
      const commit = history.at(at);
      const change = commit?.changes.find((each) => each.key === key);
      if (commit === undefined || change === undefined) return;
      yield { commit, change };
      at = change.before?.meta.revision ?? history.lastEnd(key, at);
    }
  }

  /**
   * The same from the store, from a revision that is not in memory backwards; at most `most`
   * commits are looked at.
   */
  async older(key: ObjectKey, upTo: Revision, most: number): Promise<OlderTouches> {
    const found: { commit: StoredCommit; after: AnyObject | undefined }[] = [];
    let to = upTo;
    let end: OlderTouches["end"] = "bound";
    while (end === "bound" && to > Math.max(0, upTo - most)) {
      const page = await this.page(Math.max(0, to - PAGE), to);
      if (page.compactedTo !== undefined) end = "compacted";
      for (const commit of page.commits.toReversed()) {
        const change = commit.changes.find((each) => each.key === key);
        if (change === undefined) continue;
        found.push({ commit, after: change.after });
        if (isMadeAt(change.after, commit.revision)) end = "made";
      }
      to = page.compactedTo ?? page.from;
      if (to === 0) end = "made";
    }
    // What a commit replaced is what the one before it wrote; of the oldest, it is unknown.
    const touches = found.map(({ commit, after }, index): Touch => {
      const before = found[index + 1]?.after;
      return { commit, change: { key, before, after } };
    });
    return { touches, from: to, end };
  }

  /**
   * The newest revision that was committed by then. Times are those of the authorities, each on its
   * own clock: where one is before the one before it, the later commit counts.
   */
  async revisionAt(atMs: number): Promise<FoundRevision> {
    for (let revision = this.log.revision; revision > this.start; revision -= 1) {
      if ((this.commit(revision)?.atMs ?? 0) <= atMs) return { kind: "found", revision };
    }
    let oldest: Pick<StoredCommit, "revision" | "atMs"> | undefined = this.commit(this.start + 1);
    let to = this.start;
    while (to > 0) {
      const page = await this.page(Math.max(0, to - PAGE), to);
      for (const commit of page.commits.toReversed()) {
        if (commit.atMs <= atMs) return { kind: "found", revision: commit.revision };
        oldest = commit;
      }
      if (page.compactedTo !== undefined) break;
      to = page.from;
    }
    return {
      kind: "too-old",
      oldest: oldest?.revision ?? this.log.revision,
      oldestMs: oldest?.atMs,
    };
  }

  /** Commits after `from`, up to `to`. */
  async page(
    from: Revision,
    to: Revision,
  ): Promise<{
    readonly from: Revision;
    readonly commits: readonly StoredCommit[];
    /** Set when some of it is no longer kept: everything up to this revision is gone. */
    readonly compactedTo?: Revision;
  }> {
    try {
      return { from, commits: await this.store.read(from, to - from) };
    } catch (error) {
      if (!(error instanceof LogCompacted)) throw error;
      const { oldest } = error;
      if (oldest >= to) return { from: to, commits: [], compactedTo: oldest };
      const commits = await this.store.read(oldest, to - oldest);
      return { from: oldest, commits, compactedTo: oldest };
    }
  }
}
