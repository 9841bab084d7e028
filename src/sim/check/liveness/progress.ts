/**
 * [LIV1] … [LIV5] In a healed world everything that can move does: wanted indexes come to serve,
 * what must wait is owed another look, bound replicas start, leftovers go, nodes that are up are
 * ready.
 *
 * It would break by a lost wake-up, a repair that waits for ever, or two controllers that undo each
 * other's work. A state is a stall when it has lasted, unchanged, longer than a healed world needs
 * to leave it.
 */
import type { Checker, Report, Truth } from "../checker.ts";
import { unfinished } from "./unfinished.ts";
import type { Unfinished } from "./unfinished-work.ts";

/** Whether everything is as desired or waits with good reason: a healed run may end. */
export function isAtRest(truth: Truth): boolean {
  for (const _ of unfinished(truth)) return false;
  return true;
}

class ProgressChecker implements Checker {
  readonly name = "progress";
  /** When each present piece of unfinished was first seen, true time. */
  private since = new Map<string, number>();

  sampled(truth: Truth): void {
    // While faults go on nothing can be demanded, and what they cause must not count.
    if (truth.nowMs < truth.world.faultsUntilMs) return;
    const since = new Map<string, number>();
    for (const found of unfinished(truth)) {
      const name = nameOf(found);
      since.set(name, this.since.get(name) ?? truth.nowMs);
    }
    this.since = since;
  }

  atEnd(truth: Truth, report: Report): void {
    for (const found of unfinished(truth)) {
      const lastedMs = truth.nowMs - (this.since.get(nameOf(found)) ?? truth.nowMs);
      if (lastedMs < found.patienceMs) continue;
      report(found.rule, `${found.message} It has been so for ${lastedMs} ms.`, found.key);
    }
  }
}

const nameOf = ({ rule, key, stuckAs }: Unfinished): string => `${rule} ${key} ${stuckAs}`;

export const createProgressChecker = (): Checker => new ProgressChecker();
