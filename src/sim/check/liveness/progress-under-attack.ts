/**
 * [LIV80] In a healed world all honest work reaches its desired state although hostile senders go
 * on: they cost others nothing beyond the usual patience.
 *
 * It would break if a flood took the turns of others, if the failures of one tenant prolonged the
 * wait of another, or if a used-up operation id blocked work. The other rules of progress also look
 * after the attacks; this one looks while they last.
 */
import { attackOver } from "../../hostile/attack.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { unfinished } from "./unfinished.ts";

class ProgressUnderAttackChecker implements Checker {
  readonly name = "progress-under-attack";
  /** True time at which each current deviation was first seen. */
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
