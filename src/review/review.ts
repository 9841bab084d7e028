/**
 * What a review found, as plain data: the same for a table, a page, JSON and JUnit. Reviewers fill
 * it, reports show it; neither knows the other.
 */

/**
 * `not-shown`: nothing broke the promise, and the evidence does not suffice to say that it holds.
 */
export type Verdict = "holds" | "breached" | "not-shown";

/**
 * Never mixed: room that is free or reserved, room that preemption frees, room that is hoped for.
 */
export type CapacityClass = "hard" | "reclaimable" | "soft";

export interface Review {
  readonly fleet: ReviewedFleet;
  /** Whose control plane runs the fleet; its times are the times of the findings. */
  readonly profile: "berth" | "kubernetes";
  readonly findings: readonly Finding[];
  readonly evidence?: ReviewEvidence;
}

/** When and with which build it was made; times come from the caller's clock. */
export interface ReviewEvidence {
  readonly madeMs: number;
  /** A change of the fleet ends it earlier. Left out: nothing but such a change ends it. */
  readonly expiresMs?: number;
  /** Version of Berth. */
  readonly build: string;
  /** Makes the same review again. */
  readonly command?: string;
}

export interface ReviewedFleet {
  /** For people, such as "60 nodes and 489 pods of Kubernetes". */
  readonly source: string;
  readonly nodes: number;
  readonly replicas: number;
  /** Of the objects: evidence is about this fleet and no other. */
  readonly hash: string;
}

/** One promise, and all that is known of it. */
export interface Finding {
  /** Of the commitment, with its tenant if it has one, such as "payments/risk-api-recovers". */
  readonly name: string;
  /** The promise as a sentence. */
  readonly promise: string;
  readonly verdict: Verdict;
  /** Cause first, one sentence. */
  readonly reason: string;
  /** Objects that carry the promise; none at all is a finding by itself. */
  readonly mechanisms: readonly Mechanism[];
  readonly capacity?: CapacityArgument;
  readonly simulation?: Simulation;
  readonly fix?: Fix;
  /** The five groups of questions, each with its answers as sentences. */
  readonly answers: Readonly<Record<QuestionGroup, readonly string[]>>;
  /** What this verdict does not say, one honest sentence each. */
  readonly boundary: readonly string[];
}

export const QUESTION_GROUPS = ["authority", "progress", "capacity", "safety", "evidence"] as const;
export type QuestionGroup = (typeof QUESTION_GROUPS)[number];

export interface Mechanism {
  /** As people name it, such as "recoverybudget/eu-west". */
  readonly object: string;
  readonly role: string;
}

/** For every failure of the stated kind: whether all that must find a place finds one. */
export interface CapacityArgument {
  readonly counted: CapacityClass;
  /** How far the failures were searched, such as "proved for all 16 zones". */
  readonly searched: string;
  readonly isProved: boolean;
  /** Failures looked at, and those that leave replicas without a place. */
  readonly failures: number;
  readonly broken: number;
  readonly worst?: WorstFailure;
  /** What binds first, such as "memory in zone b". */
  readonly binding?: string;
  /** In units that people use, such as "room for 7 more payments/risk-api". */
  readonly headroom?: string;
  /** What each class of capacity comes to after the worst failure, apart from the others. */
  readonly byClass?: string;
  /** What the argument does not say, one sentence each. */
  readonly boundary?: readonly string[];
}

export interface WorstFailure {
  readonly lost: readonly string[];
  readonly replicas: number;
  readonly placed: number;
  readonly homeless: readonly { readonly workload: string; readonly count: number }[];
}

/** The twin of the fleet, run through the failure over seeds. Times count from the failure. */
export interface Simulation {
  readonly seeds: number;
  /** Seeds in which the promise was kept. */
  readonly kept: number;
  /** The time that the promise allows, if it is about a time. */
  readonly promisedMs?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** The shortest time that these runs would show, with what more of them may take. */
  readonly tightestMs?: number;
  readonly worst?: {
    readonly seed: number;
    /** Left out: it did not come back while it was watched. */
    readonly ms?: number;
    /** The stage that took longest in it, such as "detect" or "place". */
    readonly slowest?: string;
    /** Files in which this run was left: as a scenario, and as a page about the incident. */
    readonly scenario?: string;
    readonly incident?: string;
  };
  /** Runs the worst seed again. */
  readonly replay?: string;
}

/** The smallest change found that makes the promise hold, with the verdict after it was applied. */
export interface Fix {
  readonly change: string;
  readonly verdict: Verdict;
  readonly reason: string;
}
