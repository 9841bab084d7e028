/** A region that has its own plane, as the global plane knows it. */
import type { Amounts } from "../amounts.ts";
import type { Epoch, Revision } from "../ids.ts";

/** In the spec of a Region: it has a plane of its own. */
export interface RegionPlaneSpec {
  /** How long the region may spend without an answer of the global plane. */
  readonly termMs: number;
}

/** In the status of a Region; left out: its plane has not reported yet. */
export interface RegionHeard {
  readonly incarnation: number;
  /** The newest position of the region's log that was reported. */
  readonly epoch: Epoch;
  readonly revision: Revision;
  /** When that was, on the clock of the leadership `under`. */
  readonly atMs: number;
  readonly under: Epoch;
  /** When its term is over by the global clock, drift and margin included. */
  readonly termUntilMs: number;
  /** The incarnation of the global plane that the region has confirmed. */
  readonly confirmed: number | undefined;
  readonly learning: boolean;
  /**
   * An earlier incarnation whose term may still last: until then nothing of the later one is
   * credited.
   */
  readonly earlier?: { readonly incarnation: number; readonly untilMs: number; readonly under: Epoch };
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
