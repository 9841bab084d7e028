/** A workload that runs whole or not at all. */

/** A day: quota that is held for longer is not held for a gang that is about to start. */
export const GANG_DEADLINE_MAX_MS = 86_400_000;

/** All of its replicas run, or none does. */
export interface Gang {
  /**
   * How long it may hold quota while it waits for room for all; then it gives it back and lines up
   * again.
   */
  readonly deadlineMs: number;
}
