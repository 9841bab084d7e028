/**
 * Tells one listener all that the log holds and then what is added. It reads the batches' keys
 * until it has caught up and then listens to etcd; when etcd has forgotten what it would listen to,
 * it reads the keys again, and when those were dropped, it begins with a snapshot.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Revision } from "../../../core/model/ids.ts";
import { type EtcdApi, EtcdUnavailable, EtcdUnknown, type KeyValue } from "../../etcd/etcd-api.ts";
import { decodeBatch } from "../batch-encoding.ts";
import { LoadedLog } from "../loaded-log.ts";
import { LogCompacted, LogDamaged, type StoredCommit } from "../log-store.ts";
import type { Following, LogNews } from "../shared-log.ts";
import { TemplateReader } from "../shared-templates.ts";
import { damaged } from "./etcd-log-errors.ts";
import type { EtcdSnapshots } from "./etcd-snapshots.ts";
import type { LogLayout } from "./log-layout.ts";
import type { LogReader, Place, ReadBatch } from "./log-reader.ts";

/**
 * After etcd could not be reached. An election takes a second or two, and a client of ours tries
 * several members by itself.
 */
const AGAIN_MS = 250;

/**
 * As much JSON as is read in some five milliseconds; a batch is told whole, however large it is.
 */
const TOLD_AT_ONCE = 512 * 1024;

/**
 * Templates that were read are shared with those read later, and remembered for that. Forgetting
 * them now and then keeps a follower that runs for months from remembering all there ever were.
 */
const TEMPLATES_FOR = 50_000;

export interface FollowerOptions {
  readonly api: EtcdApi;
  readonly layout: LogLayout;
  readonly reader: LogReader;
  readonly snapshots: EtcdSnapshots;
  readonly after: Revision | undefined;
  readonly tell: (news: LogNews) => void;
  readonly onNote: (sentence: string) => void;
}

export class LogFollower implements Following {
  private readonly of: FollowerOptions;
  private readonly stopping = new AbortController();
  /** Up to where everything was told; undefined when it has to begin with a snapshot. */
  private at: Place | undefined;
  private templates = new TemplateReader();
  private templatesFrom: Revision = 0;

  constructor(of: FollowerOptions) {
    this.of = of;
    this.at = of.after === undefined ? undefined : { revision: of.after, checksum: undefined };
    void this.run();
  }

  stop(): void {
    this.stopping.abort();
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      try {
        const revision = await this.catchUp();
        if (!this.isStopped) await this.listen(revision + 1n);
      } catch (error) {
        if (error instanceof LogCompacted) this.at = undefined;
        else if (isPassing(error)) await this.pause();
        else this.fail(error);
      }
    }
  }

  /**
   * Nothing more is told. What is no fault of the log, such as a listener that throws, stops the
   * process.
   */
  private fail(error: unknown): void {
    const isStopped = this.isStopped;
    this.stop();
    if (!(error instanceof LogDamaged)) throw error;
    if (!isStopped) this.of.tell({ kind: "damaged", error });
  }

  /** Tells what the log holds, and answers etcd's revision as of which it did. */
  private async catchUp(): Promise<bigint> {
    const at = this.at ?? (await this.begin());
    let asOf = 0n;
    for await (const { batches, revision, head } of this.of.reader.pagesAfter(at.revision)) {
      if (this.isStopped) break;
      if (head.revision < at.revision) throw this.endsBefore(at.revision, head.revision);
      for (const some of bySize(batches)) {
        if (!this.isStopped) this.tell(some);
        // There may be hundreds of megabytes; whatever waits for the plane goes in between.
        await nextTurn();
      }
      asOf = revision;
    }
    return asOf;
  }

  private async begin(): Promise<Place> {
    const loaded = new LoadedLog();
    const revision = await this.of.snapshots.load((part) => {
      if (part.kind === "note") this.of.onNote(part.text);
      else loaded.add(part);
    });
    const { snapshot } = loaded.contents();
    if (snapshot !== undefined && !this.isStopped) this.of.tell({ kind: "snapshot", snapshot });
    this.at = { revision, checksum: undefined };
    return this.at;
  }

  /** Until etcd has forgotten what is listened to, or something is wrong, or this is stopped. */
  private listen(from: bigint): Promise<void> {
    const { api, layout } = this.of;
    const { signal } = this.stopping;
    return new Promise((resolve, reject) => {
      let hearing = Promise.resolve();
      let isOver = false;
      const end = (settle: () => void): void => {
        isOver = true;
        watching.stop();
        signal.removeEventListener("abort", stopped);
        settle();
      };
      const stopped = (): void => end(resolve);
      const watching = api.watch({
        ...layout.batches(),
        from,
        onEvents: (events) => {
          const puts = events.filter(({ kind }) => kind === "put").map(({ kv }) => kv);
          // One after the other, because a batch in parts has to be fetched.
          hearing = hearing
            .then(() => (isOver ? undefined : this.hear(puts)))
            .catch((error: unknown) => end(() => reject(error)));
        },
        onCompacted: () => void hearing.then(() => end(resolve)),
      });
      signal.addEventListener("abort", stopped);
    });
  }

  private async hear(puts: readonly KeyValue[]): Promise<void> {
    const batches: ReadBatch[] = [];
    let place = this.at;
    for (const kv of puts) {
      if (place === undefined || this.of.layout.firstOf(kv.key) <= place.revision) continue;
      const batch = await this.of.reader.batchOf(kv, place);
      batches.push(batch);
      place = { revision: batch.line.last, checksum: batch.line.checksum };
    }
    if (!this.isStopped) this.tell(batches);
  }

  private tell(batches: readonly ReadBatch[]): void {
    const from = this.at?.revision ?? 0;
    const last = batches.at(-1)?.line;
    if (last === undefined) return;
    if (last.last > this.templatesFrom + TEMPLATES_FOR) {
      this.templates = new TemplateReader();
      this.templatesFrom = last.last;
    }
    const commits: StoredCommit[] = [];
    for (const { body } of batches) {
      for (const commit of decodeBatch(body, this.templates)) {
        if (commit.revision > from) commits.push(commit);
      }
    }
    this.at = { revision: last.last, checksum: last.checksum };
    if (commits.length > 0) this.of.tell({ kind: "commits", commits });
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private pause(): Promise<void> {
    const { signal } = this.stopping;
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, AGAIN_MS);
      signal.addEventListener("abort", done);
    });
  }

  private endsBefore(followed: Revision, end: Revision): Error {
    const { layout } = this.of;
    const found = `the log ends at revision ${end}, before revision ${followed} that was followed`;
    return damaged(layout.text(layout.head), found);
  }
}

function* bySize(batches: readonly ReadBatch[]): Generator<readonly ReadBatch[]> {
  let some: ReadBatch[] = [];
  let bytes = 0;
  for (const batch of batches) {
    some.push(batch);
    bytes += batch.body.length;
    if (bytes < TOLD_AT_ONCE) continue;
    yield some;
    some = [];
    bytes = 0;
  }
  if (some.length > 0) yield some;
}

/** No member was reachable, or the answer was lost: the same read may well succeed later. */
const isPassing = (error: unknown): boolean =>
  error instanceof EtcdUnavailable || error instanceof EtcdUnknown;
