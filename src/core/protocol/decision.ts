/**
 * What a controller concluded about one key, and why. Logs, `explain`, the dashboard and replay all
 * read this one record; there is no second account of a decision anywhere.
 */
import type { Intent } from "./command.ts";
import type { Refusal } from "./outcome.ts";
import type { Turn } from "./turn.ts";
import type { ObjectKey, Revision } from "../model/ids.ts";

/**
 * Something that may become true and is worth looking again for, e.g. `quota:payments` or `nodes`.
 * `observe/facts.ts` says which changes make which facts true.
 */
export type Fact = string;

export type WaitReason =
  | "quota-exhausted"
  | "quota-lent"
  | "no-feasible-node"
  | "refused-lately"
  | "rejected-lately"
  | "room-promised"
  | "room-held"
  | "room-kept"
  | "room-free"
  | "nothing-to-preempt"
  | "preemption-budget"
  | "preemption-rate"
  | "disruption-budget"
  | "correlated-silence"
  | "not-silent-long-enough"
  | "disconnected"
  | "restart-backoff"
  | "stopping"
  | "needs-a-person"
  | "agent-forgot"
  | "foreign-finalizer"
  | "in-use"
  | "secret-missing"
  | "no-lease"
  | "start-rate"
  | "attempts-exhausted"
  | "backing-off"
  | "retry-budget"
  | "awaiting-own-write"
  | "gang-incomplete"
  | "gang-does-not-fit"
  | "gang-waiting"
  | "gathering"
  | "gang-backoff"
  | "rollout-paused"
  | "rollout-step"
  | "rollout-surge"
  | "rollout-unavailable-budget"
  | "rollout-not-serving"
  | "job-parallelism"
  | "job-deadline"
  | "recovering"
  | "recovery-short"
  | "recovery-budget"
  | "job-ttl"
  | "override"
  | "binding-ends"
  | "region-partitioned"
  | "region-term"
  | "region-learning"
  | "load-steady"
  | "scale-limited"
  | "scale-refused"
  | "scale-switched-off"
  | "scaled-by-hand"
  | "samples-old"
  | "pool-steady"
  | "pool-bound"
  | "pool-backoff"
  | "node-provisioning"
  | "node-busy";

/** Where a workload stands among all that wait for room, as of a moment ago. */
export interface QueuePlace {
  /** 1 is next; left out: more are before it than are counted. */
  readonly position?: number;
  readonly of: number;
  /** Of the workloads before it. */
  readonly replicasAhead?: number;
  /**
   * How long it may take: half of such waits took no longer. Left out: nothing is known that would
   * end the wait.
   */
  readonly estimateMs?: number;
  /**
   * Nine of ten such waits took no longer. Left out: too few have ended since the scheduler
   * started, and the estimate is the rate of departures alone.
   */
  readonly upToMs?: number;
  /** What the estimate rests on, or why there is none. */
  readonly basis: string;
}

/**
 * Why, in a form a person can be shown: which rules turned away how many, what was chosen over
 * what.
 */
export interface Because {
  readonly summary: string;
  /** Rule name → how many candidates it turned away, with one example each. */
  readonly rejected?: Readonly<
    Record<string, { readonly count: number; readonly example: string }>
  >;
  readonly chosen?: string;
  readonly score?: number;
  /** What made up the score, by name. */
  readonly parts?: Readonly<Record<string, number>>;
  /** The policy that was in force, with its generation: "default@3 fragmentation". */
  readonly policy?: string;
  /** The name of the policy revision that it was decided under; left out: one without a name. */
  readonly policyRevision?: string;
  /** Of a wait for room. */
  readonly queue?: QueuePlace;
  /**
   * Failed replicas that wait for their next incarnation: when it is due on the controller's clock.
   */
  readonly restarts?: readonly {
    readonly replica: string;
    readonly failures: number;
    readonly dueMs: number;
  }[];
  /** The next best candidates, best first, with their scores. */
  readonly alternatives?: readonly { readonly name: string; readonly score: number }[];
}

/** A decision with a reason, which is recorded and explained. */
export type Conclusion =
  | {
      readonly kind: "wait";
      readonly reason: WaitReason;
      readonly wakes: readonly Fact[];
      readonly deadlineMs: number;
      readonly because: Because;
    }
  | { readonly kind: "propose"; readonly intents: readonly Intent[]; readonly because: Because };

export type Decision =
  | Conclusion
  | { readonly kind: "settled" }
  /** A look ahead of the key's turn found nothing; the key stays due and takes its turn. */
  | { readonly kind: "take-turn" };

export const settled: Decision = { kind: "settled" };
export const takeTurn: Decision = { kind: "take-turn" };

export const wait = (on: {
  readonly reason: WaitReason;
  readonly wakes: readonly Fact[];
  readonly deadlineMs: number;
  readonly because: Because;
}): Conclusion => ({ kind: "wait", ...on });

export const propose = (intents: readonly Intent[], because: Because): Conclusion => ({
  kind: "propose",
  intents,
  because,
});

/** The record of one look at one key: emitted by the runner for every conclusion. */
export interface DecisionRecord {
  readonly controller: string;
  readonly key: ObjectKey;
  readonly atMs: number;
  /** The revision of the view it was decided on. */
  readonly viewRevision: Revision;
  readonly decision: Conclusion;
}

/** What `reconcile` is given besides the view. */
export interface Look extends Turn {
  /** Refusals of this key's last proposals that the view has not caught up with yet. */
  readonly feedback: readonly Refusal[];
  /** Rounds that failed in a row; a decider may grow more cautious with it. */
  readonly failures: number;
  /** The controller's own order put this look ahead of the key's turn; left out: it did not. */
  readonly isAhead?: boolean;
}
