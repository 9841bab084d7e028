/**
 * Where users' writes wait their turn. Only so many are under way at once, so that between any two of them whoever
 * must not wait is served: agents renew their leases beside this queue, never behind it. Callers take turns, and nobody
 * fills the queue alone. A write takes its place when its body is here; one that finds none is told to come back, where
 * that can be known before its body is read.
 */
import type { EventEmitter } from "node:events";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { callerOf } from "./caller.ts";
import type { ApiLimits } from "./limits.ts";

/** By then a queue that was full has gone through the authority several times. */
const RETRY_AFTER_SECONDS = 1;

const WRITES: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** What agents and remote controllers send has its own bounds at the sender, and leases must come through. */
const NOT_QUEUED = /^\/(?:commands|stream)(?:[/?]|$)/;

/** One that waits; called when its turn has come. */
type Waiting = () => void;

export class WriteQueue {
  private readonly limits: Pick<ApiLimits, "writesUnderWay" | "writesWaiting">;
  /** In the order of turns: whoever had one goes to the end. */
  private readonly callers = new Map<string, Waiting[]>();
  underWay = 0;
  waiting = 0;
  turnedAway = 0;

  constructor(limits: Pick<ApiLimits, "writesUnderWay" | "writesWaiting">) {
    this.limits = limits;
  }

  /** Resolves when the write may go on. When it is `over`, or its sender has gone, the next one may. */
  async enter(caller: string, sender: EventEmitter): Promise<void> {
    const { writesUnderWay } = this.limits;
    if (this.underWay >= writesUnderWay) {
      await this.wait(caller, sender);
      return;
    }
    this.underWay += 1;
    this.begin(sender);
  }

  /** Listens at once: a sender may leave in the same turn in which its place became free, and must give it back. */
  private begin(sender: EventEmitter): void {
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      this.next();
    };
    sender.once("finish", over);
    sender.once("close", over);
  }

  private wait(caller: string, sender: EventEmitter): Promise<void> {
    this.checkRoom(caller);
    const ofCaller = this.callers.get(caller) ?? [];
    return new Promise((resolve, reject) => {
      const goOn: Waiting = () => {
        sender.off("close", leave);
        this.begin(sender);
        resolve();
      };
      const leave = (): void => {
        this.drop(caller, goOn);
        reject(new ApiError("bad-request", "Its sender left before it was its turn."));
      };
      sender.once("close", leave);
      ofCaller.push(goOn);
      this.callers.set(caller, ofCaller);
      this.waiting += 1;
    });
  }

  /** Throws when a write of the caller would find no place. */
  checkRoom(caller: string): void {
    const { writesUnderWay, writesWaiting } = this.limits;
    if (this.underWay < writesUnderWay) return;
    const ofCaller = this.callers.get(caller)?.length ?? 0;
    if (this.waiting < writesWaiting && 2 * ofCaller < writesWaiting) return;
    this.turnedAway += 1;
    throw new ApiError(
      "too-many-requests",
      `${writesUnderWay} writes are under way and ${this.waiting} wait, ${ofCaller} of them the caller's own.`,
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }

  private drop(caller: string, goOn: Waiting): void {
    const left = (this.callers.get(caller) ?? []).filter((other) => other !== goOn);
    if (left.length === 0) this.callers.delete(caller);
    else this.callers.set(caller, left);
    this.waiting -= 1;
  }

  /** The place of one that is over goes to the first of the caller whose turn it is. */
  private next(): void {
    for (const [caller, ofCaller] of this.callers) {
      const goOn = ofCaller.shift();
      this.callers.delete(caller);
      if (ofCaller.length > 0) this.callers.set(caller, ofCaller);
      this.waiting -= 1;
      goOn?.();
      return;
    }
    this.underWay -= 1;
  }
}

/** An agent that joins is on its way to its first lease. */
export const isQueued = (request: FastifyRequest): boolean =>
  WRITES.has(request.method) && !NOT_QUEUED.test(request.url) && callerOf(request).kind !== "agent";
