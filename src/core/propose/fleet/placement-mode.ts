/**
 * How a scheduler looks for places: what differs between the modes, as data. The order of the queue
 * decides the mode, and every search is told it.
 */
export interface PlacementMode {
  readonly kind: "in-turn" | "ahead";
  /** Where a recovery budget has to pay for what is found. */
  readonly paysIn: "partitioned-regions" | "every-region";
  /** What is placed at most of a workload that recovers where recoveries are budgeted. */
  readonly mostOfRecovery: "all" | "what-was-lost";
  /** What a workload does that finds no place. */
  readonly ifNowhere: "wait-for-a-node" | "take-its-turn";
  /** The time of the look; left out: a recovery budget counts until the view shows its end. */
  readonly nowMs?: number;
}

/**
 * Its tenant is served next: it needs a budget only for reserved room and in partitioned regions
 * (BU4, DG4).
 */
export const IN_TURN: PlacementMode = {
  kind: "in-turn",
  paysIn: "partitioned-regions",
  mostOfRecovery: "all",
  ifNowhere: "wait-for-a-node",
};

/** A recovery goes before the queue, for what it lost and only where a budget pays (BU8). */
export const AHEAD: PlacementMode = {
  kind: "ahead",
  paysIn: "every-region",
  mostOfRecovery: "what-was-lost",
  ifNowhere: "take-its-turn",
};
