/**
 * [LIV80] In a healed world everything that is honest comes to where it is wanted although hostile
 * senders go on: they cost others nothing beyond the usual patience.
 *
 * It would break if a flood took the turns of others, if a wait could be prolonged by somebody
 * else's failures, or if a used-up operation id left work where it is. The other rules of progress
 * look when attacks are over as well; this one looks while they last.
 */
import { attackOver } from "../../hostile/attack.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { unfinished } from "./unfinished.ts";

class ProgressUnderAttackChecker implements Checker {
  readonly name = "progress-under-attack";
  /** When each present piece of unfinished was first seen, true time. */
  private since = new Map<string, number>();

  sampled(truth: Truth, report: Report): void {
    const { nowMs, world } = truth;
    const isAttacked = world.attacks?.some((attack) => attackOver(attack) >= nowMs) === true;
    if (nowMs < world.faultsUntilMs || !isAttacked) return;
    const since = new Map<string, number>();
    for (const { rule, key, stuckAs, patienceMs, message } of unfinished(truth)) {
      const name = `${rule} ${key} ${stuckAs}`;
      const sinceMs = this.since.get(name) ?? nowMs;
      since.set(name, sinceMs);
      if (nowMs - sinceMs < patienceMs) continue;
      report("LIV80", `Under attack: ${message} It has been so for ${nowMs - sinceMs} ms.`, key);
    }
    this.since = since;
  }
}

export const createProgressUnderAttackChecker = (): Checker => new ProgressUnderAttackChecker();
