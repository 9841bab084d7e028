/**
 * One watch that outlives the members it is on: after a loss it goes on with the first revision
 * that it has not told of, on another member. A member that is cut off from the others ends it by
 * itself, because a leader is required.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Watching, WatchAsk } from "./etcd-api.ts";
import type { EtcdCaller } from "./etcd-caller.ts";
import { checkFailure } from "./etcd-verdict.ts";
import { GrpcFailure } from "./grpc-failure.ts";
import { WatchJoiner } from "./watch-joiner.ts";
import type { WatchAnswer } from "./watch-messages.ts";
import { WatchStream } from "./watch-stream.ts";

/** Before the next try; most losses are over with the first. */
const FIRST_PAUSE_MS = 100;
/**
 * A watch that is refused every time, for want of a permission, costs nearly nothing and comes back
 * in time.
 */
const LONGEST_PAUSE_MS = 2_000;

export class EtcdWatch implements Watching {
  private readonly ask: WatchAsk;
  private readonly caller: EtcdCaller;
  private readonly onNote: (sentence: string) => void;
  private readonly over = new AbortController();
  /** The first revision that was not told of yet. */
  private next: bigint;
  private pauseMs = FIRST_PAUSE_MS;
  private joiner = new WatchJoiner();
  private stream: WatchStream | undefined;

  constructor(ask: WatchAsk, caller: EtcdCaller, onNote: (sentence: string) => void) {
    this.ask = ask;
    this.caller = caller;
    this.onNote = onNote;
    this.next = ask.from;
    void this.run();
  }

  stop(): void {
    this.over.abort();
    this.stream?.end(new GrpcFailure("lost", "the watch was stopped"));
  }

  private get isOver(): boolean {
    return this.over.signal.aborted;
  }

  private async run(): Promise<void> {
    const { signal } = this.over;
    while (!this.isOver) {
      await this.watchOnce();
      await sleep(this.pauseMs, undefined, { signal }).catch(() => undefined);
      this.pauseMs = Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS);
    }
  }

  private async watchOnce(): Promise<void> {
    const { key, end } = this.ask;
    const from = { from: this.next };
    // Half a revision that was under way comes again from the beginning.
    this.joiner = new WatchJoiner();
    this.stream = new WatchStream((answer) => this.hear(answer));
    try {
      const wanted = end === undefined ? { key, ...from } : { key, end, ...from };
      this.lost(await this.stream.run(this.caller, wanted), this.stream.endpoint ?? "");
    } catch (error) {
      if (!this.isOver) this.onNote(`A watch is waiting for etcd. ${(error as Error).message}`);
    }
  }

  private hear(answer: WatchAnswer): void {
    if (answer.canceled) {
      this.cancelled(answer);
      return;
    }
    this.pauseMs = FIRST_PAUSE_MS;
    for (const { revision, events } of this.joiner.add(answer)) {
      if (revision < this.next) continue;
      this.next = revision + 1n;
      this.ask.onEvents(events, revision);
      if (this.isOver) return;
    }
    // How far a quiet watch has come, so that a compaction up to there does not end it. Answers to
    // our own questions (-1) may overtake events in etcd before 3.4.25 and say nothing about this.
    const isProgress = !answer.created && !answer.fragment && answer.events.length === 0;
    if (isProgress && answer.watchId >= 0n && answer.revision >= this.next) {
      this.next = answer.revision + 1n;
    }
  }

  private cancelled({ compactRevision, cancelReason }: WatchAnswer): void {
    if (compactRevision !== 0n) {
      this.stop();
      this.ask.onCompacted(compactRevision);
      return;
    }
    const why = cancelReason === "" ? "etcd ended it without a reason" : cancelReason;
    this.stream?.end(new GrpcFailure("lost", why));
  }

  private lost(failure: GrpcFailure, endpoint: string): void {
    if (this.isOver) return;
    // To a watch with a token that has ended, etcd says only that it is not permitted.
    const isDenied = failure.message.includes("permission denied");
    if (isDenied || checkFailure(failure).remedy === "log-in") this.caller.forgetToken();
    this.caller.leave(endpoint);
    this.onNote(`Lost a watch on etcd at ${endpoint}, resuming: ${failure.message}.`);
  }
}
