/**
 * Which processes are looked at in this turn. A look reads several small files, so processes that
 * are expected to change are read often, the others seldom, those not seen for longest first, and
 * never more at once than a few milliseconds take.
 */
import { AGENT_LIMITS } from "../agent-limits.ts";
import type { GuardedProcess } from "./guarded-process.ts";

/**
 * A start or a stop is a matter of milliseconds; an exit without one of ours is told soon enough at
 * the second.
 */
const LOOK_SOON_MS = 20;
const LOOK_MS = 500;

export class LookOrder {
  private readonly lookedMs = new WeakMap<GuardedProcess, number>();

  /** Those to look at now, and in how long to look again. */
  next(
    all: Iterable<GuardedProcess>,
    nowMs: number,
  ): { readonly due: readonly GuardedProcess[]; readonly againMs: number } {
    const due: GuardedProcess[] = [];
    let isRestless = false;
    for (const process of all) {
      // Whose end was told has nothing more to tell.
      if (process.isEndTold) continue;
      isRestless ||= process.isRestless;
      const sinceMs = nowMs - (this.lookedMs.get(process) ?? Number.NEGATIVE_INFINITY);
      if (process.isRestless || sinceMs >= LOOK_MS - LOOK_SOON_MS) due.push(process);
    }
    const most = AGENT_LIMITS.looksAtOnce.value;
    const isCut = due.length > most;
    if (isCut) due.sort((a, b) => this.seen(a) - this.seen(b));
    const now = isCut ? due.slice(0, most) : due;
    for (const process of now) this.lookedMs.set(process, nowMs);
    return { due: now, againMs: isRestless || isCut ? LOOK_SOON_MS : LOOK_MS };
  }

  private seen(process: GuardedProcess): number {
    return this.lookedMs.get(process) ?? Number.NEGATIVE_INFINITY;
  }
}
