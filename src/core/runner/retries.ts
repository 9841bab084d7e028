/**
 * Which retries of one controller may go out now, and who waits for the next. Waits go in the order
 * of arrival: in the order of names the first would use up every budget, again and again.
 */
import type { Turn } from "../protocol/turn.ts";
import type { ObjectKey } from "../model/ids.ts";
import { CONTROLLER_ALLOWANCE, RetryBudget } from "./retry-budget.ts";
import { TargetBudgets } from "./target-budgets.ts";

/** One answer pays for two. */
const WOKEN_BY_ANSWER = 2;

/**
 * So many may go before one another: keys that come due together are looked at in an order of their
 * own.
 */
const NEXT_FEW = 8;

/** Those who wait are not to come back all in one moment. */
const SPREAD_MS = 500;

const NOBODY: readonly ObjectKey[] = [];

export class Retries {
  private readonly own = new RetryBudget(CONTROLLER_ALLOWANCE);
  private readonly targets: TargetBudgets;
  private readonly waiting = new Set<ObjectKey>();

  constructor(targets: TargetBudgets = new TargetBudgets()) {
    this.targets = targets;
  }

  /**
   * First attempts always go out; a retry is taken out of every budget it counts against, or out of
   * none.
   */
  permits(key: ObjectKey, isRetry: boolean, nowMs: number): boolean {
    if (isRetry) return this.take(key, nowMs);
    this.own.firstAttempt();
    this.targets.plane.firstAttempt();
    return true;
  }

  private take(key: ObjectKey, nowMs: number): boolean {
    if (!this.isItsTurn(key)) return false;
    const node = this.targets.ofNode(key);
    const { plane } = this.targets;
    if (!this.own.has(nowMs) || !plane.has(nowMs) || node?.has(nowMs) === false) return false;
    this.own.take();
    plane.take();
    node?.take();
    this.waiting.delete(key);
    return true;
  }

  /**
   * A later key goes behind the waiting ones, or those with the shortest pauses would get
   * everything.
   */
  private isItsTurn(key: ObjectKey): boolean {
    if (this.waiting.size < NEXT_FEW) return true;
    let place = 0;
    for (const each of this.waiting) {
      if (each === key) return true;
      place += 1;
      if (place === NEXT_FEW) return false;
    }
    return false;
  }

  /** Until when a key that got nothing waits at most; an answer may end it sooner. */
  awaitTurn(key: ObjectKey, turn: Turn): number {
    const nowMs = turn.now;
    this.waiting.add(key);
    const node = this.targets.ofNode(key)?.nextMs(nowMs) ?? nowMs;
    const dueMs = Math.max(this.own.nextMs(nowMs), this.targets.plane.nextMs(nowMs), node);
    return dueMs + 1 + (turn.random("retry-budget", key) % SPREAD_MS);
  }

  /** It has nothing to send any more, or must not. */
  leave(key: ObjectKey): void {
    if (this.waiting.size > 0) this.waiting.delete(key);
  }

  /** The target is there: whose turn it is now. */
  answered(key: ObjectKey): readonly ObjectKey[] {
    this.own.answered();
    this.targets.answered(key);
    if (this.waiting.size === 0) return NOBODY;
    const woken: ObjectKey[] = [];
    for (const each of this.waiting) {
      if (woken.length === WOKEN_BY_ANSWER) break;
      woken.push(each);
    }
    return woken;
  }
}
