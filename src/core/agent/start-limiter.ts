/**
 * How fast an agent starts processes (LB4): a token for each start, a few at once and then so many
 * a second, and no more under way than the node can look after. A workload that fails a thousand
 * times a second would otherwise take every turn of the agent, and the lease with it. Who waits
 * does so in a line of its tenant; tenants take turns (LB5).
 */
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";
import { type ObjectKey, parseKey } from "../model/ids.ts";

const PER_SECOND = LOAD_LIMITS.startsPerSecond.value;
const AT_ONCE = LOAD_LIMITS.startsAtOnce.value;
const UNDER_WAY = LOAD_LIMITS.startsUnderWay.value;
const PATIENCE_MS = LOAD_LIMITS.startPatienceMs.value;
/** Tokens are counted in milliseconds of waiting, so that no fraction of one is lost. */
const TOKEN_MS = 1_000 / PER_SECOND;

export class StartLimiter {
  private savedMs = AT_ONCE * TOKEN_MS;
  private countedMs: number | undefined;
  /** In the order in which tenants come next; each with its keys in the order of arrival. */
  private readonly lines = new Map<string, Set<ObjectKey>>();
  /** Its turn has come, and it was not looked at since. */
  private readonly called = new Set<ObjectKey>();
  /** Starts whose process has neither begun nor failed, and since when. */
  private readonly underWay = new Map<ObjectKey, number>();

  /**
   * True when the process may be started now; else it has a place in the line and is called when
   * its turn has come.
   */
  take(key: ObjectKey, nowMs: number): boolean {
    const isCalled = this.called.delete(key);
    if (isCalled || (this.lines.size === 0 && this.spend(nowMs))) {
      this.leaveLine(key);
      this.underWay.set(key, nowMs);
      return true;
    }
    const { namespace: tenant } = parseKey(key);
    const line = this.lines.get(tenant) ?? new Set();
    this.lines.set(tenant, line.add(key));
    return false;
  }

  /** Those whose turn has come. */
  call(nowMs: number): readonly ObjectKey[] {
    const keys: ObjectKey[] = [];
    while (this.lines.size > 0 && this.spend(nowMs)) {
      const [tenant, line] = this.lines.entries().next().value as [string, Set<ObjectKey>];
      const key = line.values().next().value as ObjectKey;
      line.delete(key);
      // Behind all others: a tenant's thousand starts delay another tenant's by one start.
      this.lines.delete(tenant);
      if (line.size > 0) this.lines.set(tenant, line);
      this.called.add(key);
      keys.push(key);
    }
    return keys;
  }

  /** Its process has begun or ended, or is not wanted any more: it holds no place here. */
  over(key: ObjectKey): void {
    this.called.delete(key);
    this.underWay.delete(key);
    this.leaveLine(key);
  }

  /** When somebody who waits may be called; infinite while no start waits. */
  nextMs(nowMs: number): number {
    if (this.lines.size === 0) return Number.POSITIVE_INFINITY;
    this.count(nowMs);
    const tokenMs = nowMs + Math.max(0, TOKEN_MS - this.savedMs);
    if (this.underWay.size + this.called.size < UNDER_WAY) return tokenMs;
    const [oldestMs = nowMs] = this.underWay.values();
    return Math.max(tokenMs, oldestMs + PATIENCE_MS);
  }

  private spend(nowMs: number): boolean {
    this.count(nowMs);
    for (const [key, sinceMs] of this.underWay) {
      // In the order of their beginning: the first that is young enough ends the walk.
      if (nowMs - sinceMs < PATIENCE_MS) break;
      this.underWay.delete(key);
    }
    if (this.savedMs < TOKEN_MS || this.underWay.size + this.called.size >= UNDER_WAY) return false;
    this.savedMs -= TOKEN_MS;
    return true;
  }

  private count(nowMs: number): void {
    const passedMs = nowMs - (this.countedMs ?? nowMs);
    this.countedMs = nowMs;
    this.savedMs = Math.min(AT_ONCE * TOKEN_MS, this.savedMs + passedMs);
  }

  private leaveLine(key: ObjectKey): void {
    const { namespace: tenant } = parseKey(key);
    const line = this.lines.get(tenant);
    if (line?.delete(key) === true && line.size === 0) this.lines.delete(tenant);
  }
}
