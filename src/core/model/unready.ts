/**
 * A probe that fails again and again, while its replica is starting: the latest that was told, and
 * since when the failures have no success between them.
 */
export interface FailingProbe {
  /** What was asked, where, and what came back; in its agent's words. */
  readonly said: string;
  /** How many probes in a row had failed when it was told, as its agent has counted. */
  readonly times: number;
  /** On the authority's clock, when the first of this row failed, as its agent has counted. */
  readonly sinceMs: number;
  /** On the authority's clock, when the latest was. */
  readonly toldMs: number;
}

/** A probe that took a replica out of ready: the latest in its incarnation, with what was found. */
export interface Unready {
  /** In its agent's words. */
  readonly said: string;
  /** On the authority's clock, when it was told. */
  readonly sinceMs: number;
}
