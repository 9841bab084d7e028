/**
 * Long reads under way: lists, explanations, past states. Only so many are at work at once, and fewer of one caller, so that
 * a caller's slow readers delay that caller's own reads and no others. Callers take turns; a read that waits too long, or finds
 * the queue full, is told to come back.
 */
import type { EventEmitter } from "node:events";
import { ApiError } from "../errors.ts";
import type { HttpLimits } from "./http-limits.ts";

type Limits = Pick<
  HttpLimits,
  "readsUnderWay" | "readsUnderWayPerCaller" | "readsWaiting" | "readWaitMs"
>;

const RETRY_AFTER_SECONDS = 1;

interface Waiting {
  readonly goOn: () => void;
}

export class ReadSeats {
  private readonly limits: Limits;
  private readonly taken = new Map<string, number>();
  /** In the order of turns: a caller that had one goes to the end. */
  private readonly callers = new Map<string, Waiting[]>();
  underWay = 0;
  waiting = 0;
  turnedAway = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Resolves when the read may go on. Its seat is free again when the sender is answered or has gone. */
  async enter(caller: string, sender: EventEmitter): Promise<void> {
    if (this.canSit(caller)) this.sit(caller, sender);
    else await this.wait(caller, sender);
  }

  private canSit(caller: string): boolean {
    const { readsUnderWay, readsUnderWayPerCaller } = this.limits;
    return this.underWay < readsUnderWay && (this.taken.get(caller) ?? 0) < readsUnderWayPerCaller;
  }

  /** Listens at once: a sender may leave in the same turn in which its seat became free, and must give it back. */
  private sit(caller: string, sender: EventEmitter): void {
    this.underWay += 1;
    this.taken.set(caller, (this.taken.get(caller) ?? 0) + 1);
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      this.leave(caller);
    };
    sender.once("finish", over);
    sender.once("close", over);
  }

  private leave(caller: string): void {
    this.underWay -= 1;
    const own = (this.taken.get(caller) ?? 0) - 1;
    if (own <= 0) this.taken.delete(caller);
    else this.taken.set(caller, own);
    this.next();
  }

  private wait(caller: string, sender: EventEmitter): Promise<void> {
    const { readsWaiting, readWaitMs } = this.limits;
    const own = this.callers.get(caller) ?? [];
    if (this.waiting >= readsWaiting || 2 * own.length >= readsWaiting) {
      return Promise.reject(this.refusal(own.length));
    }
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(late);
        sender.off("close", gone);
      };
      const waiting = {
        goOn: () => {
          settle();
          this.sit(caller, sender);
          resolve();
        },
      };
      const giveUp = (error: ApiError): void => {
        settle();
        this.drop(caller, waiting);
        reject(error);
      };
      const gone = (): void =>
        giveUp(new ApiError("bad-request", "The client left before its turn."));
      const late = setTimeout(() => giveUp(this.refusal(own.length)), readWaitMs);
      sender.once("close", gone);
      own.push(waiting);
      this.callers.set(caller, own);
      this.waiting += 1;
    });
  }

  private refusal(own: number): ApiError {
    this.turnedAway += 1;
    return new ApiError(
      "too-many-requests",
      `${this.underWay} long reads are in progress and ${this.waiting} wait, ${own} of them this caller's.`,
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }

  private drop(caller: string, waiting: Waiting): void {
    const left = (this.callers.get(caller) ?? []).filter((other) => other !== waiting);
    if (left.length === 0) this.callers.delete(caller);
    else this.callers.set(caller, left);
    this.waiting -= 1;
  }

  /** The first caller in turn that has not all of its seats. */
  private next(): void {
    for (const [caller, own] of this.callers) {
      if (!this.canSit(caller)) continue;
      const first = own.shift();
      this.callers.delete(caller);
      if (own.length > 0) this.callers.set(caller, own);
      this.waiting -= 1;
      first?.goOn();
      return;
    }
  }
}
