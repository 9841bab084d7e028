/** A region that has its own plane, as the global plane knows it. */
import type { Amounts } from "../amounts.ts";
import type { Epoch, Revision } from "../ids.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../timing.ts";

/** In the spec of a Region: it has a plane of its own. */
export interface RegionPlaneSpec {
  /** How long the region may spend without an answer of the global plane. */
  readonly termMs: number;
}

/** In the status of a Region; left out: its plane has not reported yet. */
export interface RegionHeard {
  readonly incarnation: number;
  /**
   * The newest position of the region's log that was taken in; 0 and 0: nothing of this incarnation
   * yet.
   */
  readonly epoch: Epoch;
  readonly revision: Revision;
  /** When it last spoke, on the clock of the leadership `under`, as are all times here. */
  readonly atMs: number;
  readonly under: Epoch;
  /** The last question that was taken in: the region's leadership, and its time by that clock. */
  readonly asked: { readonly epoch: Epoch; readonly ms: number };
  /** The longest term that a question taken in so far may still be answered with. */
  readonly termMs: number;
  /** When its term is over by the global clock, drift and margin included. */
  readonly termUntilMs: number;
  /**
   * The incarnation of the global plane to which the region has stated all that it holds, and since
   * when it takes nothing of earlier ones; left out: none. A later incarnation of the region keeps
   * it: what the one before it may hold is known.
   */
  readonly settledBy?: number;
  /** The incarnation of the global plane that the region obeys; undefined: none yet. */
  readonly confirmed: number | undefined;
  readonly learning: boolean;
  /**
   * An earlier incarnation whose term may still last: until then nothing of the later one is
   * credited.
   */
  readonly earlier?: { readonly incarnation: number; readonly untilMs: number };
  /** A person has vouched that this incarnation is gone for good. */
  readonly gone?: true;
  readonly summary?: RegionSummary;
}

/** What apportioning goes by; it may be old. */
export interface RegionSummary {
  readonly nodes: number;
  readonly capacity: Amounts;
  readonly free: Amounts;
  readonly replicas: number;
  readonly serving: number;
  readonly queued: number;
}

/** A shorter term would be over before a slow exchange ends; a longer one is no bound. */
export const TERM_BOUNDS_MS = { least: 10_000, most: 86_400_000 } as const;
/** Ten minutes: longer than most losses of a link, and short enough to wait for a lost region. */
export const TERM_MS = 600_000;

/** Beyond the drift: an exchange that is under way when the term ends is decided before. */
const TERM_MARGIN_MS = 1_000;

/**
 * How long the global plane takes a term to last. Its clock may be fast by the bound and that of
 * the region slow by it.
 */
export const termAsCounted = (termMs: number): number =>
  termMs + Math.ceil((2 * termMs * DRIFT_PARTS_PER_THOUSAND) / 1_000) + TERM_MARGIN_MS;

/**
 * For how long a new leadership of the region goes without an answer before it ends the term of the
 * one before: long enough for an exchange with a global plane that can be reached.
 */
export const RENEW_TERM_WITHIN_MS = 10_000;
