/**
 * What a workload says of a replica whose node cannot reach the plane, and the record of a replaced
 * one.
 */
import type { Evidence } from "./evidence.ts";

/** A day: a longer silence needs a person. */
export const REPLACE_AFTER_MAX_MS = 86_400_000;

/**
 * Who of an index stays when one that was replaced comes back; one file decides it:
 * `model/who-stays.ts`.
 */
export const RECONCILES = ["best", "keep-original", "keep-replacement"] as const;
export type Reconcile = (typeof RECONCILES)[number];

export interface Disconnect {
  readonly onDisconnect: "stop" | "keep";
  /**
   * How long its node may be silent before it is replaced. "keep": the replaced one may run on;
   * left out: it is never replaced for silence. "stop": left out, or less than fencing takes: as
   * soon as its node is fenced.
   */
  readonly replaceAfterMs?: number;
  /**
   * Who stays when the replaced one comes back. Left out: "best". Means nothing where nothing is
   * replaced so.
   */
  readonly reconcile?: Reconcile;
}

/** Why the index was given to another, and since when. */
export interface Superseded {
  readonly evidence: Evidence;
  readonly sinceMs: number;
}

/** The part of a replica's status that is about it. */
export interface Replaced {
  /** Set while the index is no longer its own: it was replaced although it may still run. */
  readonly superseded?: Superseded | undefined;
  /** The incarnations its index had under both of its names, where that is more than its own. */
  readonly indexIncarnations?: number | undefined;
}
