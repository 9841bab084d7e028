/**
 * The bounds of patience. Nothing waits, retries or grows past one of these, whatever a policy
 * says.
 */
import type { RetryTerms } from "../model/policy.ts";

/** A commit takes a round trip and one disk write; a second without an answer means it was lost. */
export const REPLY_TIMEOUT_MS = 1_000;

/**
 * Enough to ride out a leader change; a struggling authority is then left alone until the resync.
 */
export const OPERATION_ATTEMPTS = 6;
export const OPERATION_DEADLINE_MS = 30_000;

/** Every key is looked at this often even when nothing seems to have happened. */
export const RESYNC_EVERY_MS = 30_000;

/** How long a silently lost watch event can go unnoticed. */
export const RELIST_EVERY_MS = 60_000;
export const LIST_TIMEOUT_MS = 2_000;

/** Normally the watch shows our own write within milliseconds. */
export const OWN_WRITE_PATIENCE_MS = 3_000;

/** Keys worked on in one turn: long turns would delay replies and heartbeats behind them. */
export const KEYS_PER_TURN = 256;

/**
 * Indexes and bindings asked for in one turn, for the same reason: some milliseconds of deciding
 * and checking.
 */
export const WORK_PER_TURN = 1_024;

/**
 * How much may be under way before no further key is looked at, counted in indexes and bindings:
 * some tenths of a second for the authority. More would be answered after the senders' patience,
 * and decided on a view that is behind by all of it.
 */
export const MOST_UNDER_WAY = 16_384;

const BACKOFF_FIRST_MS = 100;
const BACKOFF_LAST_MS = 10_000;

/** Doubles with every failure; `jitter` (any 32-bit number) spreads it over the upper half. */
export function backoffMs(
  failures: number,
  jitter: number,
  { backoffFirstMs = BACKOFF_FIRST_MS, backoffMostMs = BACKOFF_LAST_MS }: RetryTerms = {},
): number {
  const full = Math.min(backoffMostMs, backoffFirstMs * 2 ** Math.min(failures - 1, 10));
  const half = full >> 1;
  return half + (jitter % (half + 1));
}
