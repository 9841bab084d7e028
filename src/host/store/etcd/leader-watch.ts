/**
 * Hears who leads. Every wait for the lead is here: etcd says when the leader's key is gone, and
 * there is no polling.
 */
import type { EtcdApi, KeyValue, Watching } from "../../etcd/etcd-api.ts";
import type { Leader } from "../shared-log.ts";
import type { LogLayout } from "./log-layout.ts";
import { readLeader } from "./stored-values.ts";

type Listener = (leader: Leader | undefined) => void;

/**
 * How long until the key is read again after etcd could not be reached; a watch that stands needs
 * no such thing.
 */
const AGAIN_MS = 500;

export class LeaderWatch {
  private readonly api: EtcdApi;
  private readonly layout: LogLayout;
  private readonly listeners = new Set<Listener>();
  private readonly waiting = new Set<() => void>();
  private watching: Watching | undefined;
  private again: NodeJS.Timeout | undefined;
  private isStopped = false;
  /** What the key was, and etcd's revision up to which that is known. */
  private kv: KeyValue | undefined;
  private seen = 0n;
  private known: Leader | undefined;

  constructor(api: EtcdApi, layout: LogLayout) {
    this.api = api;
    this.layout = layout;
  }

  get leader(): Leader | undefined {
    return this.known;
  }

  /** The lease under which the lead is held now, as far as was heard. */
  get lease(): bigint | undefined {
    return this.kv?.lease;
  }

  onLeader(listener: Listener): () => void {
    // A function of its own, so that one listener may be told twice.
    const told: Listener = (leader) => listener(leader);
    this.listeners.add(told);
    return () => void this.listeners.delete(told);
  }

  /** Rejects when etcd cannot be reached; from then on it goes on by itself. */
  async start(): Promise<void> {
    const { leader: key } = this.layout;
    const { kvs, revision } = await this.api.range({ key });
    if (this.isStopped) return;
    this.learn(kvs[0], revision);
    this.watching = this.api.watch({
      key,
      from: revision + 1n,
      onEvents: (events, at) => {
        for (const { kind, kv } of events) this.learn(kind === "put" ? kv : undefined, at);
      },
      onCompacted: () => this.restart(),
    });
  }

  stop(): void {
    this.isStopped = true;
    this.watching?.stop();
    clearTimeout(this.again);
    this.wake();
  }

  /** What somebody else found out about the key, as of etcd's revision `at`. */
  learn(kv: KeyValue | undefined, at: bigint): void {
    if (at <= this.seen || this.isStopped) return;
    this.seen = at;
    const isSame = kv?.modRevision === this.kv?.modRevision;
    this.kv = kv;
    // Also when nothing seems to have changed: somebody may have led and gone in between, unheard
    // of.
    if (kv === undefined) this.wake();
    if (isSame) return;
    this.known = readLeader(kv);
    for (const listener of this.listeners) listener(this.known);
  }

  /**
   * Resolves once there is no leader at a later moment than `since`, or the signal says so, or this
   * is stopped.
   */
  async gone(since: bigint, signal: AbortSignal): Promise<void> {
    if (this.isStopped || signal.aborted || (this.kv === undefined && this.seen > since)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.waiting.add(done);
      signal.addEventListener("abort", done);
    });
  }

  private wake(): void {
    for (const done of this.waiting) done();
  }

  /** The changes that the watch wanted are gone, so what there is now is read. */
  private restart(): void {
    this.watching = undefined;
    this.start().catch(() => {
      if (this.isStopped) return;
      this.again = setTimeout(() => this.restart(), AGAIN_MS);
      this.again.unref();
    });
  }
}
