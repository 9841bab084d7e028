/**
 * Room of a node that is kept for somebody: one incarnation of a replica while others leave, or a
 * workload that may lose some.
 */
import type { Epoch } from "./ids.ts";

export interface Room {
  readonly node: string;
  readonly deviceIds: readonly string[];
  /**
   * The leadership on whose clock it was made: another cannot tell from its times how old it is.
   */
  readonly epoch: Epoch;
  /**
   * Set: kept for whatever replicas of the owner, which is a workload, are lost. Left out: made by
   * preemption.
   */
  readonly purpose?: "recovery";
}
