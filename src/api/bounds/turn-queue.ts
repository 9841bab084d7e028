/**
 * Requests that wait their turn. Only so many are under way at once, and fewer of one caller, so
 * that one caller's requests delay that caller and no others. Callers take turns, and none fills
 * the places or the queue alone. A request that finds the queue full, or waits too long, is told to
 * come back.
 */
import type { EventEmitter } from "node:events";
import { ApiError } from "../errors.ts";

export interface TurnLimits {
  /** What waits here, for messages: "writes". */
  readonly what: string;
  readonly underWay: number;
  readonly underWayPerCaller: number;
  readonly waiting: number;
  /** Left out: a request waits until its turn comes or its sender leaves. */
  readonly waitMs?: number;
}

/** By then a queue that was full has moved on several times. */
const RETRY_AFTER_SECONDS = 1;

/** One that waits; called when its turn has come. */
type Waiting = () => void;

export class TurnQueue {
  private readonly limits: TurnLimits;
  private readonly taken = new Map<string, number>();
  /** In the order of turns: a caller that had one goes to the end. */
  private readonly callers = new Map<string, Waiting[]>();
  /** How those that are under way give their places back. */
  private readonly leaving = new WeakMap<EventEmitter, () => void>();
  underWay = 0;
  waiting = 0;
  turnedAway = 0;

  constructor(limits: TurnLimits) {
    this.limits = limits;
  }

  /**
   * Resolves when the request may go on. When it is answered, or its sender has gone, the next one
   * may.
   */
  async enter(caller: string, sender: EventEmitter): Promise<void> {
    if (this.canBegin(caller)) this.begin(caller, sender);
    else await this.wait(caller, sender);
  }

  /** The answer is made. Nothing happens where the sender has no place. */
  answered(sender: EventEmitter): void {
    this.leaving.get(sender)?.();
  }

  /** Throws when a request of the caller would find no place. */
  checkRoom(caller: string): void {
    if (this.canBegin(caller)) return;
    const most = this.limits.waiting;
    const own = this.callers.get(caller)?.length ?? 0;
    if (this.waiting >= most || 2 * own >= most) throw this.refusal(caller);
  }

  private canBegin(caller: string): boolean {
    const { underWay, underWayPerCaller } = this.limits;
    return this.underWay < underWay && (this.taken.get(caller) ?? 0) < underWayPerCaller;
  }

  /**
   * Listens at once: a sender may leave in the same turn in which its place became free, and must
   * give it back.
   */
  private begin(caller: string, sender: EventEmitter): void {
    this.underWay += 1;
    this.taken.set(caller, (this.taken.get(caller) ?? 0) + 1);
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      this.leave(caller);
    };
    this.leaving.set(sender, over);
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
    this.checkRoom(caller);
    const { waitMs } = this.limits;
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(late);
        sender.off("close", gone);
      };
      const goOn: Waiting = () => {
        settle();
        this.begin(caller, sender);
        resolve();
      };
      const giveUp = (error: ApiError): void => {
        settle();
        this.drop(caller, goOn);
        reject(error);
      };
      const gone = (): void =>
        giveUp(new ApiError("bad-request", "The client left before its turn."));
      const late =
        waitMs === undefined ? undefined : setTimeout(() => giveUp(this.refusal(caller)), waitMs);
      sender.once("close", gone);
      const own = this.callers.get(caller) ?? [];
      own.push(goOn);
      this.callers.set(caller, own);
      this.waiting += 1;
    });
  }

  private refusal(caller: string): ApiError {
    this.turnedAway += 1;
    const own = this.callers.get(caller)?.length ?? 0;
    return new ApiError(
      "too-many-requests",
      `${this.underWay} ${this.limits.what} are in progress and ${this.waiting} wait, ${own} of them this caller's.`,
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }

  private drop(caller: string, goOn: Waiting): void {
    const left = (this.callers.get(caller) ?? []).filter((other) => other !== goOn);
    if (left.length === 0) this.callers.delete(caller);
    else this.callers.set(caller, left);
    this.waiting -= 1;
  }

  /** A free place goes to the first caller in turn that has not all of its places. */
  private next(): void {
    for (const [caller, own] of this.callers) {
      if (!this.canBegin(caller)) continue;
      const goOn = own.shift();
      this.callers.delete(caller);
      if (own.length > 0) this.callers.set(caller, own);
      this.waiting -= 1;
      goOn?.();
      return;
    }
  }
}
