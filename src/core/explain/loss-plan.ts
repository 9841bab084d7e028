/** What is asked about a loss, and what it comes to. */
import type { ObjectKey } from "../model/ids.ts";
import type { WhyNowhere } from "../propose/place/why-nowhere.ts";

export type RoomThatCounts = "hard" | "reclaimable" | "soft";

export interface LossTerms {
  /** Left out: "hard". */
  readonly counted?: RoomThatCounts;
  /** This workload goes last among those of its priority: the worst order that the queue allows. */
  readonly lastOfEquals?: ObjectKey | undefined;
  /** Left out: true. Counting the rules that reject costs a walk over all nodes. */
  readonly tellsWhy?: boolean;
}

export interface LossPlan {
  /** Replicas that ran on the lost nodes and may run elsewhere. */
  readonly lost: number;
  /** Replicas that others preempt, and that have to find another place, too. */
  readonly preempted: number;
  readonly placed: number;
  readonly placedOf: ReadonlyMap<ObjectKey, number>;
  /** By workload, those that find no place. */
  readonly homeless: readonly Homeless[];
  /** By pool, how many of its nodes would have to be added. */
  readonly added: ReadonlyMap<string, number>;
}

export interface Homeless {
  readonly workload: ObjectKey;
  readonly count: number;
  /** Which rules turned away how many of the nodes that are left, for the first of them. */
  readonly rejected: WhyNowhere["rejected"];
}
