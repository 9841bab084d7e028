/**
 * How long a failed replica waits before its next incarnation. Counted from when this controller
 * saw the failure: the time the authority wrote is on another clock. A restarted controller counts
 * anew, which only waits longer.
 */
import type { ObjectKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";

const FIRST_MS = 1_000;
/** A crash loop settles at one try in five minutes: cheap to bear, and soon enough after a fix. */
const LAST_MS = 300_000;

export class RestartDelays {
  private readonly seen = new Map<
    ObjectKey,
    { readonly incarnation: number; readonly dueMs: number }
  >();

  /** When the failed replica may be given its next incarnation. */
  dueMs(replica: Replica, nowMs: number): number {
    // A person who deletes a failed replica does not want to wait for it (ST90).
    if (replica.meta.deletingMs !== undefined) return nowMs;
    const { incarnation, failures } = replica.status;
    const known = this.seen.get(replica.key);
    if (known?.incarnation === incarnation) return known.dueMs;
    const dueMs = nowMs + Math.min(LAST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
    this.seen.set(replica.key, { incarnation, dueMs });
    return dueMs;
  }

  forget(key: ObjectKey): void {
    this.seen.delete(key);
  }
}
