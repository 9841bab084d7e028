/**
 * Where requests wait for their seats: the sockets, promises and deadlines around `FairSeats`. Only
 * so many begin in one turn of the event loop, so that what came meanwhile, above all a lease, is
 * read before the next ones. A refusal is sent after a pause: a sender that ignores Retry-After
 * would otherwise cost as much as its requests.
 */
import type { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../errors.ts";
import { FairSeats } from "../../core/admission/fair-seats.ts";
import type { SeatAsk } from "./seat-ask.ts";
import { SHARE_LEVELS } from "../../core/admission/share-level.ts";
import { type ShareLimits, seatBoundsOf } from "./share-limits.ts";
import { type Bound, ShareTally } from "./share-tally.ts";

/** By then a queue that was full has moved on several times. */
const RETRY_AFTER_SECONDS = 1;
/** How often waiting requests are held against their deadline. */
const LOOK_MS = 250;
const ONLY_LEASES = ["leases"] as const;

interface Waiting {
  readonly sinceMs: number;
  readonly begin: () => void;
  readonly giveUp: (error: ApiError) => void;
}

export class SeatGate {
  readonly seats: FairSeats;
  readonly tally: ShareTally;
  private readonly limits: ShareLimits;
  private readonly nowMs: () => number;
  /** In the order in which they came. */
  private readonly waiting = new Map<SeatAsk, Waiting>();
  /** How those that are in progress give their seats back. */
  private readonly leaving = new WeakMap<EventEmitter, () => void>();
  private readonly slow = new Map<string, number>();
  private begun = 0;
  private held = 0;
  private look: NodeJS.Timeout | undefined;

  constructor(limits: ShareLimits, nowMs: () => number = () => performance.now()) {
    this.limits = limits;
    this.nowMs = nowMs;
    this.seats = new FairSeats(seatBoundsOf(limits));
    this.tally = new ShareTally(nowMs);
  }

  /** Refuses a request that would find no place, before its body is read. */
  checkRoom(ask: SeatAsk): Promise<never> | undefined {
    const full = this.seats.fullFor(ask);
    return full === undefined ? undefined : this.refuse(ask, full);
  }

  /**
   * Resolves when the request may go on; undefined: at once. Its seats are free again when it is
   * answered or gone.
   */
  enter(ask: SeatAsk, sender: EventEmitter): Promise<void> | undefined {
    const full = this.seats.offer(ask, this.nowMs());
    if (full !== undefined) return this.refuse(ask, full);
    return this.wait(ask, sender);
  }

  /** The answer is made. Nothing happens where the sender has no seat. */
  answered(sender: EventEmitter): void {
    this.leaving.get(sender)?.();
  }

  /**
   * The answer waits for its reader and goes on without its seats. False when the caller has too
   * many such readers.
   */
  goOnWithout(caller: string, sender: EventEmitter): boolean {
    this.answered(sender);
    const own = this.slow.get(caller) ?? 0;
    if (own >= this.limits.slowReadersPerCaller) return false;
    this.slow.set(caller, own + 1);
    sender.once("close", () => {
      const left = (this.slow.get(caller) ?? 0) - 1;
      if (left <= 0) this.slow.delete(caller);
      else this.slow.set(caller, left);
    });
    return true;
  }

  private wait(ask: SeatAsk, sender: EventEmitter): Promise<void> | undefined {
    const sinceMs = this.nowMs();
    let settle: { resolve: () => void; reject: (error: ApiError) => void } | undefined;
    // A sender may leave in the same turn in which its seat became free, and must give it back.
    const gone = (): void => {
      if (this.waiting.has(ask)) {
        this.drop(ask, new ApiError("bad-request", "The client left before its turn."));
        return;
      }
      this.tally.finished(ask);
      this.seats.finish(ask, this.nowMs());
      this.pump();
    };
    const once = onlyOnce(gone);
    sender.once("close", once);
    this.waiting.set(ask, {
      sinceMs,
      begin: () => {
        this.tally.begun(ask, this.nowMs() - sinceMs);
        this.leaving.set(sender, once);
        settle?.resolve();
      },
      giveUp: (error) => {
        sender.off("close", once);
        settle?.reject(error);
      },
    });
    this.pump();
    if (!this.waiting.has(ask)) return undefined;
    this.look ??= setInterval(() => this.dropLate(), LOOK_MS).unref();
    return new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  }

  /** Begins those that may begin now. */
  private pump(): void {
    const nowMs = this.nowMs();
    for (;;) {
      const isFull = this.begun >= this.limits.seatsPerTurn;
      const ask = this.seats.next(nowMs, isFull ? ONLY_LEASES : SHARE_LEVELS) as
        | SeatAsk
        | undefined;
      if (ask === undefined) return;
      if (ask.level !== "leases") this.count(ask.seats);
      const waiting = this.waiting.get(ask);
      this.waiting.delete(ask);
      waiting?.begin();
    }
  }

  /** A request of several seats is as much work as several requests. */
  private count(seats: number): void {
    const isFirst = this.begun === 0;
    this.begun += seats;
    if (!isFirst) return;
    setImmediate(() => {
      this.begun = 0;
      this.pump();
    });
  }

  private dropLate(): void {
    const latest = this.nowMs() - this.limits.seatWaitMs;
    for (const [ask, { sinceMs }] of this.waiting) {
      if (sinceMs > latest) break;
      this.drop(ask, this.refusal(ask, "time"));
    }
    if (this.waiting.size > 0) return;
    clearInterval(this.look);
    this.look = undefined;
  }

  private drop(ask: SeatAsk, error: ApiError): void {
    const waiting = this.waiting.get(ask);
    this.waiting.delete(ask);
    this.seats.withdraw(ask);
    waiting?.giveUp(error);
    this.pump();
  }

  private async refuse(ask: SeatAsk, bound: Bound): Promise<never> {
    const error = this.refusal(ask, bound);
    if (this.held < this.limits.refusalsHeld && this.limits.refusalMs > 0) {
      this.held += 1;
      await sleep(this.limits.refusalMs, undefined, { ref: false });
      this.held -= 1;
    }
    throw error;
  }

  private refusal(ask: SeatAsk, bound: Bound): ApiError {
    this.tally.refused(ask, bound);
    const { level, payer, caller } = ask;
    const own = this.seats.ofFlow(ask);
    const bounds = this.seats.bounds.levels[level];
    const found = {
      level: `${this.seats.waitingOf(level)} requests of level ${level} wait, the most for all callers (${bounds.waiting}).`,
      payer: `${this.seats.ofPayer(ask).waiting} requests of level ${level} of ${payer} wait, the most for one tenant (${bounds.waitingPerPayer}).`,
      caller: `${own.waiting} requests of level ${level} of ${caller} wait, the most for one caller (${bounds.waitingPerCaller}).`,
      time: `The request waited ${this.limits.seatWaitMs} ms for its turn in level ${level}, where ${own.seats} seats are this caller's.`,
    }[bound];
    return new ApiError("too-many-requests", found, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      causes: [{ reason: `${level}-${bound}`, message: found, field: "" }],
    });
  }
}

function onlyOnce(act: () => void): () => void {
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    act();
  };
}

/** For those that look at every level. */
export const levelsOf = ({ seats }: SeatGate) =>
  SHARE_LEVELS.map((level) => ({
    level,
    running: seats.runningOf(level),
    waiting: seats.waitingOf(level),
  }));
