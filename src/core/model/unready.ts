/** A probe that took a replica out of ready: the latest in its incarnation, with what was found. */
export interface Unready {
  /** In its agent's words. */
  readonly said: string;
  /** On the authority's clock, when it was told. */
  readonly sinceMs: number;
}
