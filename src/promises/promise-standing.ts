/** What is known of the promises of a running plane, as plain data between thread and plane. */
import type { ObjectKey, Revision } from "../core/model/ids.ts";
import type { CapacityArgument, Fix, Verdict } from "../review/review.ts";

/** One promise, checked against one fleet. */
export interface PromiseCheck {
  readonly key: ObjectKey;
  /** Of the Commitment: a changed promise is another promise. */
  readonly generation: number;
  readonly verdict: Verdict;
  /** Cause first, one sentence. */
  readonly reason: string;
  readonly capacity?: CapacityArgument;
  readonly fix?: Fix;
}

/** What the loss of one place would leave without a place at this moment. */
export interface LossNow {
  /** "zone" or "region". */
  readonly by: string;
  readonly place: string;
  readonly nodes: number;
  readonly replicas: number;
  readonly placed: number;
  readonly homeless: readonly { readonly workload: ObjectKey; readonly count: number }[];
}

/** All promises, checked against the fleet of one revision. */
export interface CheckedRound {
  readonly revision: Revision;
  /** Of its objects, without leases. */
  readonly fleet: string;
  readonly losses: readonly LossNow[];
  /** How long the thread worked, and how long the round took with its pauses. */
  readonly busyMs: number;
  readonly tookMs: number;
}

export interface PastVerdict {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly atMs: number;
  readonly revision: Revision;
}

export interface PromiseStanding extends PromiseCheck {
  readonly sinceMs: number;
  readonly checkedMs: number;
  readonly revision: Revision;
  readonly fleet: string;
  /** Earlier verdicts, the latest first. */
  readonly history: readonly PastVerdict[];
}
