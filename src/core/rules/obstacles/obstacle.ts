/** One reason why one node does not take one replica, and what the rules know besides the two. */
import type { RefusalCode } from "../../protocol/refusals.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Node, Override, Topology } from "../../model/objects.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import type { NeighbourRule } from "./neighbour-rules.ts";
import type { Remedy } from "./remedy.ts";

export interface Obstacle {
  readonly rule: string;
  readonly code?: RefusalCode;
  /** What about the node. */
  readonly what: string;
  readonly expected: string | number;
  readonly actual: string | number;
  /**
   * Left out: nothing that a person could change about the workload, the quota or the node at once.
   */
  readonly remedy?: Remedy;
}

/** By the node's name: the reserved room that the replica would take there. */
export type KeptRooms = ReadonlyMap<string, ObjectKey>;

export interface Surroundings {
  readonly objects: ObjectIndex;
  /**
   * Where the quota is looked up; another than `objects` when it is asked what a raise would do.
   */
  readonly quotas: ObjectIndex;
  /** All nodes there are, or would be. */
  readonly nodes: readonly Node[];
  readonly rules: readonly NeighbourRule[];
  /** Those that count, but for any that it is asked without. */
  readonly overrides: readonly Override[];
  /** The recovery reserve that the replica may take; none where it is not asked about. */
  readonly kept: KeptRooms;
  /** The regions of which it is asked as if a budget of enough were granted there. */
  readonly granted: readonly string[];
  /** How many the emptiest place has, by what makes places; worked out once for one ask. */
  readonly fewest: Map<Topology, number>;
}
