/**
 * What a gang needs beyond what its members need: all of them at once. Its quota is taken for all
 * or for none, its members are bound in one commit, and what it holds while it waits for room it
 * gives back in time.
 */
import type { Intent } from "../protocol/command.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Replica, Workload } from "../model/objects.ts";
import { evictOperation } from "../protocol/operations.ts";

/**
 * After giving up it stays out of the queue this long, so that the quota it gave back can be used.
 */
export const GANG_BACKOFF_MS = 30_000;

interface Clock {
  /** Index and incarnation → since when it was seen to hold quota without a node. */
  readonly since: ReadonlyMap<string, number>;
  readonly backMs: number;
}

/**
 * Since when each gang has been holding quota without running, on the clock of this object's owner.
 */
export class GangClocks {
  private readonly clocks = new Map<ObjectKey, Clock>();

  /** When the gang has to give its quota back: the one that holds it longest counts for all. */
  deadlineMs(workload: Workload, queued: readonly Replica[], nowMs: number): number {
    const known = this.clocks.get(workload.key);
    const since = new Map<string, number>();
    let firstMs = nowMs;
    for (const { spec, status } of queued) {
      const incarnation = `${spec.index}.${status.incarnation}`;
      const sinceMs = known?.since.get(incarnation) ?? nowMs;
      since.set(incarnation, sinceMs);
      firstMs = Math.min(firstMs, sinceMs);
    }
    this.clocks.set(workload.key, { since, backMs: known?.backMs ?? 0 });
    return firstMs + (workload.spec.gang?.deadlineMs ?? 0);
  }

  gaveUp(workload: ObjectKey, nowMs: number): void {
    this.clocks.set(workload, { since: new Map(), backMs: nowMs + GANG_BACKOFF_MS });
  }

  /** From when on it may line up again. */
  backMs(workload: ObjectKey): number {
    return this.clocks.get(workload)?.backMs ?? 0;
  }

  forget(workload: ObjectKey): void {
    this.clocks.delete(workload);
  }
}

export const giveUp = (workload: ObjectKey, replica: Replica): Intent => ({
  kind: "evict",
  operation: evictOperation(replica, "gang"),
  replica: replica.key,
  incarnation: replica.status.incarnation,
  evidence: { kind: "gang-deadline", workload },
});
