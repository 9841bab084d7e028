/**
 * A log in memory that several planes of one process share: the smallest thing that keeps the contract of shared
 * logs. For tests, which end leases and hold followers back as they like.
 */
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import type { Snapshot } from "../../src/core/protocol/snapshot.ts";
import type { Epoch, Revision } from "../../src/core/model/ids.ts";
import { withoutBefore } from "../../src/host/store/batch-encoding.ts";
import {
  type AppendResult,
  type Claimed,
  LogCompacted,
  type StoredCommit,
} from "../../src/host/store/log-store.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import type {
  Following,
  Leader,
  Led,
  LogNews,
  PlaneAddress,
  SharedLog,
} from "../../src/host/store/shared-log.ts";

/** An unended lease lasts longer than any test. */
const FOR_EVER_MS = Number.MAX_SAFE_INTEGER;

/** What the handles have in common: the log, the leader, and all listeners. */
export class SharedMemory {
  readonly log: MemoryLog;
  leader: Leader | undefined;
  /** The handle that leads, or is about to: from when it found the lead free. */
  holder: SharedMemoryLog | undefined;
  snapshot: Snapshot | undefined;
  readonly handles = new Set<SharedMemoryLog>();

  constructor(options: { readonly keptRevisions?: number } = {}) {
    this.log = new MemoryLog(options);
  }

  /** Ends the lease of the leader, as the store would: the next one may lead. */
  endLease(): void {
    this.setLeader(undefined, undefined);
  }

  setLeader(leader: Leader | undefined, holder: SharedMemoryLog | undefined): void {
    this.leader = leader;
    this.holder = holder;
    this.changed();
  }

  changed(): void {
    for (const handle of this.handles) handle.wake();
  }
}

export class SharedMemoryLog implements SharedLog {
  private readonly shared: SharedMemory;
  private readonly listeners = new Set<(leader: Leader | undefined) => void>();
  private readonly waking = new Set<() => void>();
  private told: Leader | undefined;
  private epoch: Epoch = 0;
  /** For tests: what this plane believes about its lease, whatever the store thinks. */
  believesUntilMs = FOR_EVER_MS;

  constructor(shared: SharedMemory) {
    this.shared = shared;
    shared.handles.add(this);
  }

  get leader(): Leader | undefined {
    return this.shared.leader;
  }

  get leadsUntilMs(): number {
    return this.shared.holder === this ? this.believesUntilMs : 0;
  }

  onLeader(listener: (leader: Leader | undefined) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  wake(): void {
    if (this.told !== this.shared.leader) {
      this.told = this.shared.leader;
      for (const listener of this.listeners) listener(this.told);
    }
    for (const wake of this.waking) wake();
  }

  async claim(): Promise<Claimed> {
    this.shared.holder = this;
    const claimed = await this.shared.log.claim();
    this.epoch = claimed.epoch;
    return claimed;
  }

  async lead(as: PlaneAddress, signal: AbortSignal): Promise<Led | undefined> {
    const isFree = (): boolean => this.shared.holder === undefined || this.shared.holder === this;
    while (!isFree() && !signal.aborted) await this.nextChange(signal);
    if (signal.aborted) return undefined;
    const { epoch } = await this.claim();
    this.shared.setLeader({ ...as, epoch }, this);
    return { epoch, end: this.shared.log.end };
  }

  async resign(): Promise<void> {
    await Promise.resolve();
    if (this.shared.holder === this) this.shared.endLease();
  }

  async append(epoch: Epoch, commits: readonly Commit[]): Promise<AppendResult> {
    if (this.hasLapsed(epoch)) return "fenced";
    const result = await this.shared.log.append(epoch, commits);
    this.shared.changed();
    return result;
  }

  read(from: Revision, limit: number): Promise<readonly StoredCommit[]> {
    return this.shared.log.read(from, limit);
  }

  async compact(epoch: Epoch, snapshot: Snapshot): Promise<AppendResult> {
    if (this.hasLapsed(epoch)) return "fenced";
    const result = await this.shared.log.compact(epoch, snapshot);
    const isNewer = snapshot.revision >= (this.shared.snapshot?.revision ?? 0);
    if (result === "durable" && isNewer) this.shared.snapshot = snapshot;
    return result;
  }

  follow(after: Revision | undefined, tell: (news: LogNews) => void): Following {
    const over = new AbortController();
    void this.followUntil(after, tell, over.signal);
    return { stop: () => over.abort() };
  }

  private async followUntil(
    after: Revision | undefined,
    tell: (news: LogNews) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const say = (news: LogNews): void => {
      if (!signal.aborted) tell(news);
    };
    let at = after ?? this.beginWith(say);
    await Promise.resolve();
    while (!signal.aborted) {
      const commits = await this.shared.log.read(at, FOR_EVER_MS).catch((error: unknown) => {
        if (!(error instanceof LogCompacted)) throw error;
      });
      const last = commits?.at(-1);
      if (commits === undefined) at = this.beginWith(say);
      else if (last === undefined) await this.nextChange(signal);
      else {
        at = last.revision;
        say({ kind: "commits", commits: commits.map(withoutBefore) });
      }
    }
  }

  private beginWith(say: (news: LogNews) => void): Revision {
    const { snapshot } = this.shared;
    if (snapshot === undefined) return 0;
    queueMicrotask(() => say({ kind: "snapshot", snapshot }));
    return snapshot.revision;
  }

  end(): Promise<Revision> {
    return Promise.resolve(this.shared.log.end);
  }

  async close(): Promise<void> {
    await this.resign();
    this.shared.handles.delete(this);
  }

  private hasLapsed(epoch: Epoch): boolean {
    return epoch <= this.epoch && this.shared.holder !== this;
  }

  private nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.waking.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.waking.add(wake);
      signal.addEventListener("abort", wake);
    });
  }
}
