/**
 * How many retries somebody who does not answer may be sent: a few at once, then a trickle, and a
 * part of what is sent to it for the first time. Answers pay for more, so a recovered component is
 * not kept waiting: each lets two retries through, which doubles them with every round trip. First
 * attempts need no budget.
 */

export interface RetryAllowance {
  /** So many without any answer, when there was no trouble before. */
  readonly burst: number;
  /** So many more in a second. */
  readonly perSecond: number;
}

/**
 * Of one controller: about what one workload's round needs, then little enough that fifty do not
 * add up to load.
 */
export const CONTROLLER_ALLOWANCE: RetryAllowance = { burst: 10, perSecond: 1 };

/**
 * Of all controllers of a process together, at the authority: twice that of one, since seldom more
 * are stuck at once.
 */
export const PLANE_ALLOWANCE: RetryAllowance = { burst: 20, perSecond: 2 };

/**
 * Of all controllers of a process together, about one node: it is one machine, and its state is
 * one.
 */
export const NODE_ALLOWANCE: RetryAllowance = { burst: 6, perSecond: 1 };

/** Kept in tenths, because one first attempt in ten pays for a retry. */
const TENTHS = 10;
const PER_FIRST_ATTEMPT = 1;
/** Two for one answer: a component that answers at least half of the time is not limited. */
const PER_ANSWER = 2 * TENTHS;

const MS_PER_SECOND = 1_000;

export class RetryBudget {
  private readonly mostTenths: number;
  private readonly msPerTenth: number;
  private tenths: number;
  /** Up to when the trickle was counted; undefined until somebody asked. */
  private countedMs: number | undefined;

  constructor({ burst, perSecond }: RetryAllowance) {
    this.mostTenths = burst * TENTHS;
    this.msPerTenth = MS_PER_SECOND / (perSecond * TENTHS);
    this.tenths = this.mostTenths;
  }

  firstAttempt(): void {
    this.add(PER_FIRST_ATTEMPT);
  }

  answered(): void {
    this.add(PER_ANSWER);
  }

  /** Whether one more retry may be sent now. */
  has(nowMs: number): boolean {
    this.trickle(nowMs);
    return this.tenths >= TENTHS;
  }

  take(): void {
    this.tenths -= TENTHS;
  }

  /** When it will have one more by time alone. */
  nextMs(nowMs: number): number {
    this.trickle(nowMs);
    return nowMs + Math.max(0, TENTHS - this.tenths) * this.msPerTenth;
  }

  private add(tenths: number): void {
    this.tenths = Math.min(this.mostTenths, this.tenths + tenths);
  }

  private trickle(nowMs: number): void {
    this.countedMs ??= nowMs;
    const tenths = Math.floor((nowMs - this.countedMs) / this.msPerTenth);
    if (tenths <= 0) return;
    this.countedMs += tenths * this.msPerTenth;
    this.add(tenths);
  }
}
