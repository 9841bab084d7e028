/**
 * The log in etcd, for several planes on several machines: one leads and appends, the others
 * follow. What may be written is decided by etcd in the transaction that writes it
 * (`leadership.ts`), so a plane that believes it leads and does not changes nothing. Where things
 * lie is in `log-layout.ts`.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Snapshot } from "../../../core/protocol/snapshot.ts";
import type { Epoch, Revision } from "../../../core/model/ids.ts";
import { EtcdKept } from "../../backup/etcd-kept.ts";
import type { KeptPart } from "../../backup/kept-log.ts";
import type { EtcdApi } from "../../etcd/etcd-api.ts";
import { decodeBatch } from "../batch-encoding.ts";
import { LoadedLog } from "../loaded-log.ts";
import { assertSnapshotOf, KEPT_REVISIONS } from "../log-rules.ts";
import {
  type AppendResult,
  type Claimed,
  LogCompacted,
  LogUnavailable,
  type StoredCommit,
} from "../log-store.ts";
import type { Following, Leader, Led, LogNews, PlaneAddress, SharedLog } from "../shared-log.ts";
import type { ChainHead } from "../chain-link.ts";
import { Attempts } from "./attempts.ts";
import { ChainTip } from "./chain-tip.ts";
import { explaining } from "./etcd-log-errors.ts";
import { EtcdSnapshots } from "./etcd-snapshots.ts";
import { Leadership, type Taken } from "./leadership.ts";
import { LogDrops } from "./log-drops.ts";
import { LogFollower } from "./log-follower.ts";
import { LogLayout } from "./log-layout.ts";
import { LogReader, readBounds } from "./log-reader.ts";
import { LogWriter } from "./log-writer.ts";
import { SharedRead } from "./shared-read.ts";
import { readHead } from "./stored-values.ts";

export interface EtcdLogOptions {
  /**
   * Begins and ends with a slash. Logs under different prefixes have nothing to do with each other.
   */
  readonly prefix?: string;
  /**
   * How long the lead outlives the last sign of incarnation. Etcd raises what it finds too short.
   */
  readonly ttlSeconds?: number;
  readonly keptRevisions?: number;
  /** Told what a person should know although the log is good. */
  readonly onNote?: (sentence: string) => void;
  /**
   * Told where the chain ends whenever a snapshot was kept, so that it can be written down
   * elsewhere.
   */
  readonly onHead?: (head: ChainHead) => void;
}

/**
 * Others wait this long for a plane that was killed, and a plane may be held up for this long
 * without losing the lead.
 */
export const TTL_SECONDS = 5;

export class EtcdLog implements SharedLog {
  private readonly api: EtcdApi;
  private readonly layout: LogLayout;
  private readonly reader: LogReader;
  private readonly leadership: Leadership;
  private readonly writer: LogWriter;
  private readonly snapshots: EtcdSnapshots;
  private readonly tip: ChainTip;
  private readonly drops: LogDrops;
  private readonly ends: SharedRead<Revision>;
  private readonly followers = new Set<Following>();
  private readonly onNote: (sentence: string) => void;
  private readonly onHead: ((head: ChainHead) => void) | undefined;
  private compacting: Promise<unknown> = Promise.resolve();
  private closing: Promise<void> | undefined;
  private address: PlaneAddress = { name: "", url: "" };

  private constructor(api: EtcdApi, options: EtcdLogOptions) {
    const { prefix = "/berth/", ttlSeconds = TTL_SECONDS } = options;
    const { keptRevisions = KEPT_REVISIONS } = options;
    const layout = new LogLayout(prefix);
    const reader = new LogReader(api, layout);
    const leadership = new Leadership(api, { layout, reader, ttlSeconds });
    const tip = new ChainTip({ layout, reader });
    const parts = { layout, reader, leadership, attempts: new Attempts(), tip };
    this.api = api;
    this.layout = layout;
    this.reader = reader;
    this.leadership = leadership;
    this.tip = tip;
    this.writer = new LogWriter(parts);
    this.snapshots = new EtcdSnapshots(parts);
    this.drops = new LogDrops(api, { ...parts, keptRevisions });
    this.ends = new SharedRead(() => this.readEnd());
    this.onNote = options.onNote ?? (() => {});
    this.onHead = options.onHead;
  }

  /**
   * The log owns `api` and closes it. Rejects with LogDamaged or LogUnavailable, whose messages say
   * what to do.
   */
  static async open(api: EtcdApi, options: EtcdLogOptions = {}): Promise<EtcdLog> {
    const log = new EtcdLog(api, options);
    try {
      await explaining("open the log", async () => {
        readBounds(await log.reader.look(...log.reader.bounds()));
        await log.leadership.watch.start();
      });
    } catch (error) {
      await log.close();
      throw error;
    }
    return log;
  }

  /**
   * Loads and checks everything before it takes the epoch: who leads a log that is damaged is left
   * in peace.
   */
  claim(): Promise<Claimed> {
    return this.whileOpen("claim the log", async () => {
      let loaded = await this.load();
      const taken = (await this.leadership.take(this.address, "always")) as Taken;
      this.writer.beginsAt(taken.epoch, taken.head);
      try {
        await this.loadTail(loaded);
      } catch (error) {
        if (!(error instanceof LogCompacted)) throw error;
        // An earlier leader dropped the loaded part; from here on it stays.
        loaded = await this.load();
      }
      return { epoch: taken.epoch, ...loaded.log.contents() };
    });
  }

  lead(as: PlaneAddress, signal: AbortSignal): Promise<Led | undefined> {
    this.address = as;
    return this.whileOpen("lead", async () => {
      const taken = await this.leadership.lead(as, signal);
      if (taken === undefined) return undefined;
      this.writer.beginsAt(taken.epoch, taken.head);
      return { epoch: taken.epoch, end: taken.head.revision };
    });
  }

  resign(): Promise<void> {
    return this.leadership.resign();
  }

  get leadsUntilMs(): number {
    return this.leadership.leadsUntilMs;
  }

  get leader(): Leader | undefined {
    return this.leadership.watch.leader;
  }

  onLeader(listener: (leader: Leader | undefined) => void): () => void {
    return this.leadership.watch.onLeader(listener);
  }

  append(epoch: Epoch, commits: readonly Commit[]): Promise<AppendResult> {
    return this.whileOpen("append to the log", () => this.writer.append(epoch, commits));
  }

  read(from: Revision, limit: number): Promise<readonly StoredCommit[]> {
    return this.whileOpen("read the log", async () => {
      const commits: StoredCommit[] = [];
      for await (const { batches } of this.reader.pagesAfter(from)) {
        for (const { body } of batches) {
          for (const commit of decodeBatch(body)) if (commit.revision > from) commits.push(commit);
        }
        if (commits.length >= limit) break;
      }
      return commits.slice(0, limit);
    });
  }

  /** One after the other: what one leaves behind is not to be swept up under another's hands. */
  compact(epoch: Epoch, snapshot: Snapshot): Promise<AppendResult> {
    const done = this.compacting.then(() =>
      this.whileOpen("compact the log", () => this.compactNow(epoch, snapshot)),
    );
    this.compacting = done.catch(() => {});
    return done;
  }

  end(): Promise<Revision> {
    return this.whileOpen("read the end of the log", () => this.ends.ask());
  }

  follow(after: Revision | undefined, tell: (news: LogNews) => void): Following {
    const { api, layout, reader, snapshots, onNote } = this;
    const follower = new LogFollower({ api, layout, reader, snapshots, onNote, after, tell });
    this.followers.add(follower);
    return {
      stop: () => {
        follower.stop();
        this.followers.delete(follower);
      },
    };
  }

  chainHead(): Promise<ChainHead | undefined> {
    return this.whileOpen("read the end of the log", () => this.tip.now());
  }

  copy(): AsyncIterable<KeptPart> {
    return new EtcdKept(this.api, this.layout).parts();
  }

  close(): Promise<void> {
    this.closing ??= this.closeNow();
    return this.closing;
  }

  private async closeNow(): Promise<void> {
    for (const follower of this.followers) follower.stop();
    this.followers.clear();
    await this.leadership.close();
    this.api.close();
  }

  private async compactNow(epoch: Epoch, snapshot: Snapshot): Promise<AppendResult> {
    const { fenced, head } = await this.leadership.ask(epoch);
    const { held } = this.leadership;
    if (fenced || held?.epoch !== epoch) return "fenced";
    assertSnapshotOf(head.revision, snapshot);
    // An older one than there is would only make the next start longer.
    if (snapshot.revision >= (await this.newestSnapshot())) {
      // Only of the very end may nothing else be left, once the commits before it are dropped.
      const hash = snapshot.revision === head.revision ? await this.tip.hashAt(head) : undefined;
      const link = hash === undefined ? undefined : { revision: head.revision, hash };
      const kept = await this.snapshots.keep(held, snapshot, link);
      if (kept !== "durable") return kept;
    }
    const dropped = await this.drops.drop(held);
    if (dropped === "durable") await this.drops.forget();
    const chain = this.onHead && dropped === "durable" ? await this.tip.now() : undefined;
    if (chain !== undefined) this.onHead?.(chain);
    return dropped;
  }

  private async newestSnapshot(): Promise<Revision> {
    const range = { ...this.layout.snapshots(), limit: 1, order: "descending" } as const;
    const { kvs } = await this.api.range({ ...range, keysOnly: true });
    return kvs[0] === undefined ? 0 : this.layout.firstOf(kvs[0].key);
  }

  private async load(): Promise<{ log: LoadedLog; at: Revision }> {
    for (;;) {
      const log = new LoadedLog();
      const at = await this.snapshots.load((part) => {
        if (part.kind === "note") this.onNote(part.text);
        else log.add(part);
      });
      try {
        return await this.loadTail({ log, at });
      } catch (error) {
        // The leader has dropped the batches after the snapshot, which means that there is a newer
        // one.
        if (!(error instanceof LogCompacted)) throw error;
      }
    }
  }

  private async loadTail(of: { log: LoadedLog; at: Revision }): Promise<typeof of> {
    for await (const { batches } of this.reader.pagesAfter(of.at)) {
      for (const { line, body } of batches) {
        of.log.add({ kind: "batch", body });
        of.at = line.last;
      }
    }
    return of;
  }

  private async readEnd(): Promise<Revision> {
    const { kvs } = await this.api.range({ key: this.layout.head });
    return readHead(kvs[0]).revision;
  }

  private whileOpen<T>(attempt: string, work: () => Promise<T>): Promise<T> {
    if (this.closing === undefined) return explaining(attempt, work);
    return Promise.reject(new LogUnavailable(`Cannot ${attempt}: it was closed.`));
  }
}
