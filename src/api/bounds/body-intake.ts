/**
 * Requests whose bodies are on their way. A sender that sends its headers alone costs a place here
 * and no place among the writes, and gives its place to the next request once it has dawdled;
 * bodies are counted in bytes from their headers on until they are answered, so that what waits for
 * its turn is bounded as well.
 */
import { ApiError } from "../errors.ts";
import { ByteBudget } from "./byte-budget.ts";
import type { HttpLimits } from "./http-limits.ts";

export interface Incoming {
  readonly caller: string;
  /** As announced; the most that is read when nothing was. */
  readonly bytes: number;
  /** Agents' requests: never kept out by what users send. */
  readonly isReserved: boolean;
  /** Cuts it off in the middle. */
  readonly cutOff: () => void;
}

export interface Intake {
  /** The body is here. */
  received(): void;
  /** It was answered, or its sender has gone. */
  over(): void;
}

interface Receiving extends Incoming {
  readonly sinceMs: number;
}

const RETRY_AFTER_SECONDS = 1;

type Limits = Pick<
  HttpLimits,
  | "bodiesReceiving"
  | "bodiesReceivingPerCaller"
  | "bodyGraceMs"
  | "bodyBytesHeld"
  | "bodyBytesHeldPerCaller"
>;

export class BodyIntake {
  readonly bytes: ByteBudget;
  private readonly limits: Limits;
  private readonly nowMs: () => number;
  /** Oldest first. */
  private readonly shared = new Set<Receiving>();
  private readonly byCaller = new Map<string, Set<Receiving>>();
  turnedAway = 0;
  cutOff = 0;

  constructor(limits: Limits, nowMs: () => number = () => performance.now()) {
    this.limits = limits;
    this.nowMs = nowMs;
    this.bytes = new ByteBudget({
      total: limits.bodyBytesHeld,
      perCaller: limits.bodyBytesHeldPerCaller,
    });
  }

  /** Users' requests only. */
  get receiving(): number {
    return this.shared.size;
  }

  /** Throws when there is no room for it. */
  enter(incoming: Incoming): Intake {
    const { caller, bytes, isReserved } = incoming;
    const own = this.byCaller.get(caller) ?? new Set<Receiving>();
    if (own.size >= this.limits.bodiesReceivingPerCaller) this.makeRoom(own, "of this caller");
    if (!isReserved && this.shared.size >= this.limits.bodiesReceiving) {
      this.makeRoom(this.shared, "of all callers");
    }
    const giveBack = this.bytes.take({ caller, bytes, isReserved });
    if (giveBack === undefined) {
      const held = `${this.bytes.of(caller)} bytes of this caller's bodies and ${this.bytes.held} of all`;
      throw this.refusal(`The server already holds ${held}; this body has ${bytes} bytes.`);
    }
    const receiving = { ...incoming, sinceMs: this.nowMs() };
    this.add(receiving);
    return {
      received: () => this.remove(receiving),
      over: () => {
        this.remove(receiving);
        giveBack();
      },
    };
  }

  private add(receiving: Receiving): void {
    const own = this.byCaller.get(receiving.caller) ?? new Set();
    this.byCaller.set(receiving.caller, own);
    own.add(receiving);
    if (!receiving.isReserved) this.shared.add(receiving);
  }

  private remove(receiving: Receiving): void {
    this.shared.delete(receiving);
    const own = this.byCaller.get(receiving.caller);
    own?.delete(receiving);
    if (own?.size === 0) this.byCaller.delete(receiving.caller);
  }

  /** The one that has taken longest gives way, unless it has just begun. */
  private makeRoom(among: Set<Receiving>, whose: string): void {
    const [oldest] = among;
    if (oldest === undefined || this.nowMs() - oldest.sinceMs < this.limits.bodyGraceMs) {
      throw this.refusal(`${among.size} bodies ${whose} are being received.`);
    }
    this.remove(oldest);
    this.cutOff += 1;
    oldest.cutOff();
  }

  private refusal(detail: string): ApiError {
    this.turnedAway += 1;
    return new ApiError("too-many-requests", detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
