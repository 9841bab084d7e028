/**
 * When the authority adds its accounts up from all objects (RP4): at the beginning of a leadership,
 * and every five minutes of its own clock after that, with the first request that comes then. It
 * takes one long turn, so it is seldom; a mistake that it finds has at most that time to grow.
 */
import { recount } from "../observe/accounts/recount.ts";
import type { Ledger } from "./ledger.ts";

const RECOUNT_EVERY_MS = 300_000;

export class RecountSchedule {
  private dueMs = Number.NEGATIVE_INFINITY;

  /**
   * Accounts that were found to be wrong stay so until they are made anew: other faults are likely.
   */
  look(ledger: Ledger, nowMs: number): void {
    if (nowMs < this.dueMs) return;
    this.dueMs = nowMs + RECOUNT_EVERY_MS;
    ledger.objects.quotaUsage.wrong ??= recount(ledger.objects);
  }
}
