/**
 * Where users' writes wait their turn. Only so many are under way at once, and fewer of one caller, so that between any two of them urgent requests are served: agents renew their leases beside this queue, never behind it. Callers take turns, and no caller fills the places or the queue alone. A write takes its place when its body is here and gives it back when its answer
 * is made: how long the sender takes to read that holds up no other write. One that finds no place is told to come
 * back, where that can be known before its body is read.
 */
import type { EventEmitter } from "node:events";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { callerOf } from "../http/caller.ts";
import type { ApiLimits } from "../http/limits.ts";

/** By then a queue that was full has gone through the authority several times. */
const RETRY_AFTER_SECONDS = 1;

const WRITES: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** What agents and remote controllers send has its own bounds at the sender, and leases must come through. */
const NOT_QUEUED = /^\/(?:commands|stream)(?:[/?]|$)/;

/** One that waits; called when its turn has come. */
type Waiting = () => void;

type Limits = Pick<ApiLimits, "writesUnderWay" | "writesUnderWayPerCaller" | "writesWaiting">;

export class WriteQueue {
  private readonly limits: Limits;
  private readonly taken = new Map<string, number>();
  /** In the order of turns: a caller goes to the end after its turn. */
  private readonly callers = new Map<string, Waiting[]>();
  /** How those that are under way give their places back. */
  private readonly leaving = new WeakMap<EventEmitter, () => void>();
  underWay = 0;
  waiting = 0;
  turnedAway = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Resolves when the write may go on. When it is answered, or its sender has gone, the next one may. */
  async enter(caller: string, sender: EventEmitter): Promise<void> {
    if (this.canBegin(caller)) this.begin(caller, sender);
    else await this.wait(caller, sender);
  }

  /** The answer is made. Nothing happens where the sender has no place. */
  answered(sender: EventEmitter): void {
    this.leaving.get(sender)?.();
  }

  private canBegin(caller: string): boolean {
    const { writesUnderWay, writesUnderWayPerCaller } = this.limits;
    const own = this.taken.get(caller) ?? 0;
    return this.underWay < writesUnderWay && own < writesUnderWayPerCaller;
  }

  /** Listens at once: a sender may leave in the same turn in which its place became free, and must give it back. */
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
    const ofCaller = this.callers.get(caller) ?? [];
    return new Promise((resolve, reject) => {
      const goOn: Waiting = () => {
        sender.off("close", leave);
        this.begin(caller, sender);
        resolve();
      };
      const leave = (): void => {
        this.drop(caller, goOn);
        reject(new ApiError("bad-request", "The client left before its turn."));
      };
      sender.once("close", leave);
      ofCaller.push(goOn);
      this.callers.set(caller, ofCaller);
      this.waiting += 1;
    });
  }

  /** Throws when a write of the caller would find no place. */
  checkRoom(caller: string): void {
    if (this.canBegin(caller)) return;
    const { writesWaiting } = this.limits;
    const ofCaller = this.callers.get(caller)?.length ?? 0;
    if (this.waiting < writesWaiting && 2 * ofCaller < writesWaiting) return;
    this.turnedAway += 1;
    throw new ApiError(
      "too-many-requests",
      `${this.underWay} writes are in progress and ${this.waiting} wait, ${ofCaller} of them this caller's.`,
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
    for (const [caller, ofCaller] of this.callers) {
      if (!this.canBegin(caller)) continue;
      const goOn = ofCaller.shift();
      this.callers.delete(caller);
      if (ofCaller.length > 0) this.callers.set(caller, ofCaller);
      this.waiting -= 1;
      goOn?.();
      return;
    }
  }
}

/** An agent that joins is on its way to its first lease. */
export const isQueued = (request: FastifyRequest): boolean =>
  WRITES.has(request.method) && !NOT_QUEUED.test(request.url) && callerOf(request).kind !== "agent";
