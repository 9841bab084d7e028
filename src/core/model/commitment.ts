/**
 * A promise of a team about its fleet, with the failure under which it is to hold. Reviewers check
 * it against the fleet; no decision of the plane reads it.
 */
import type { Labels, Topology } from "./objects.ts";

/** Promises about the whole fleet live here; every other namespace is a tenant. */
export const FLEET_NAMESPACE = "berth";

/** The kinds of promise. Each commitment makes exactly one. */
export const PROMISES = [
  "recover",
  "keepServing",
  "wait",
  "isolation",
  "fairness",
  "headroom",
  "drains",
  "overrideEnds",
  "noStorm",
  "invariant",
] as const;
export type PromiseKind = (typeof PROMISES)[number];

/**
 * What goes wrong beside a loss, or alone. The first eight are the failures by which a control
 * plane deceives itself; the last makes every start slow.
 */
export const DISTURBANCES = [
  "write-timeout",
  "stale-cache",
  "stale-quota",
  "policy-rollback",
  "override",
  "two-schedulers",
  "leader-change",
  "leaked-state",
  "slow-starts",
] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

/** Room that is free or reserved, room that preemption frees, room that is only expected. */
export const CAPACITY_CLASSES = ["hard", "reclaimable", "soft"] as const;

export interface PromisedRecovery {
  readonly workload: string;
  /** Left out: as many as served before. */
  readonly replicas?: number;
  /** Regions in which they are to serve; left out: anywhere. */
  readonly in?: readonly string[];
  readonly withinMs: number;
}

export interface PromisedServing {
  readonly workload: string;
  readonly atLeast: number;
}

export interface PromisedWait {
  /** Left out: replicas of all classes. */
  readonly priorityClass?: string;
  readonly withinMs: number;
  /** Millionths of the replicas; left out: all. */
  readonly share?: number;
}

export interface PromisedIsolation {
  /** Left out: the tenant whose namespace it is. */
  readonly tenant?: string;
}

export interface PromisedTime {
  readonly withinMs: number;
}

export interface PromisedHeadroom {
  /** Left out: all replicas that are lost find a place. */
  readonly workload?: string;
  /** Of the workload, beyond those that it has; left out: none. */
  readonly replicas?: number;
}

export interface PromisedCalm {
  readonly commandsPerCause: number;
}

/** The number of replicas with all these labels, in every place that has one of them. */
export interface PromisedInvariant {
  readonly labels: Labels;
  readonly per: Topology;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Exactly one of them is set. */
export interface Promises {
  readonly recover?: PromisedRecovery;
  readonly keepServing?: PromisedServing;
  readonly wait?: PromisedWait;
  readonly isolation?: PromisedIsolation;
  readonly fairness?: PromisedTime;
  readonly headroom?: PromisedHeadroom;
  readonly drains?: PromisedTime;
  readonly overrideEnds?: PromisedTime;
  readonly noStorm?: PromisedCalm;
  readonly invariant?: PromisedInvariant;
}

export interface FailureCase {
  /** "node", "zone", "region" or a label of nodes: one such place is lost. */
  readonly lose?: Topology;
  /** One such place is drained: its nodes one after the other. */
  readonly drain?: Topology;
  /** Only this place; left out: each in turn. */
  readonly which?: string;
  /** So many places at once, whichever they are; left out: one. */
  readonly anyOf?: number;
  readonly also?: readonly Disturbance[];
}

export interface Sureness {
  /** Millionths; left out: all of them. */
  readonly atLeast?: number;
  /** Left out: of the seeds. */
  readonly of?: "seeds" | "failures";
}

export interface CommitmentSpec extends Promises {
  /** Left out: every failure that can break a promise of this kind. */
  readonly when?: FailureCase;
  readonly holds?: Sureness;
  /** The worst class of capacity that counts; left out: hard. */
  readonly capacity?: (typeof CAPACITY_CLASSES)[number];
}

export const promiseKindsOf = (spec: Promises): readonly PromiseKind[] =>
  PROMISES.filter((kind) => spec[kind] !== undefined);

/** A workload that a promise names, in full or of the namespace that the promise lives in. */
export function promisedWorkload(
  named: string,
  namespace: string,
): { readonly tenant: string; readonly name: string } {
  const at = named.indexOf("/");
  return at < 0
    ? { tenant: namespace, name: named }
    : { tenant: named.slice(0, at), name: named.slice(at + 1) };
}
