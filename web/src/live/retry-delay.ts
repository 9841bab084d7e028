/** How long a stream waits before it begins anew. */

/** Long enough for a plane that restarts, and short enough that users do not reload the page. */
const FIRST_MS = 1_000;
const MOST_MS = 10_000;

/**
 * `attempt` counts from 1; `chance` is from 0 up to 1. A quarter of it is chance, so that the
 * readers of a plane that restarts do not come all at once.
 */
export function retryDelayMs(attempt: number, chance: number): number {
  const doublings = Math.min(attempt - 1, 10);
  const most = Math.min(MOST_MS, FIRST_MS * 2 ** doublings);
  return Math.round(most * (0.75 + 0.25 * chance));
}
