/**
 * How long an agent waits for a plane before its next request goes to another: so short that each
 * of its planes is tried while what a renewal leaves of a lease lasts, however many of them hang.
 */
import { LEASE_MS, RENEW_EVERY_MS } from "../../core/model/timing.ts";

/** A plane that is merely busy answers sooner. */
const LONGEST_MS = 3_000;
/** Below this, a busy plane would be left for one that is as busy. */
const SHORTEST_MS = 1_000;
/** A renewal that found no answer is sent again so much later. */
const NEXT_RENEWAL_MS = 1_000;

export function answerPatienceMs(planes: number): number {
  const share = Math.floor((LEASE_MS - RENEW_EVERY_MS) / planes) - NEXT_RENEWAL_MS;
  return Math.max(SHORTEST_MS, Math.min(LONGEST_MS, share));
}
