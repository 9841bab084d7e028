/**
 * How long an HTTP client waits before it sends a request again: doubling with every failure, never
 * beyond a bound, never at the same moment as a thousand others, and never sooner than the server
 * has asked for.
 */
const FIRST_MS = 250;
const LONGEST_MS = 5_000;

/**
 * What a server may ask for; more is not a pause but an outage, and is found out about by trying.
 */
const ASKED_LONGEST_MS = 30_000;

/** These say "not now": a proxy sends the first two while the plane restarts. */
const PASSING: ReadonlySet<number> = new Set([502, 504, 429, 503]);

export const isPassingStatus = (status: number): boolean => PASSING.has(status);

/** `failures`: how many there were before this one. */
export function retryPauseMs(
  failures: number,
  askedMs = 0,
  random: () => number = Math.random,
): number {
  const fullMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
  const jitter = random();
  // Clients with the same Retry-After come back spread over a little more than it.
  return askedMs > 0 ? askedMs + fullMs * jitter : fullMs * (0.5 + jitter / 2);
}

/** The header in milliseconds, whether it names seconds or a date; 0 when it says nothing. */
export function retryAfterMs(header: string | undefined, nowMs: number = Date.now()): number {
  if (header === undefined || header.trim() === "") return 0;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.min(ASKED_LONGEST_MS, Math.max(0, ms)) : 0;
}
