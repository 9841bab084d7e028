/**
 * Why a destructive command may happen. A signal never proves a failure; each kind of evidence
 * permits one thing only, and the authority checks the claim against the truth before it commits
 * (EV rules).
 */
import type { Epoch, ObjectKey, Uid } from "./ids.ts";

export type Evidence =
  /**
   * This lease was not renewed past its end, the agent's kill time and the clock bound. Permits
   * fencing.
   */
  | {
      readonly kind: "lease-expired";
      readonly node: string;
      readonly session: number;
      readonly seq: number;
      /** How long the node had been silent by the authority's own clock; filled in by it. */
      readonly silentMs?: number;
      /** The leadership that measured it; filled in by the authority, as the next. */
      readonly epoch?: Epoch;
      /** What earlier leaderships had measured of the same silence before; left out: nothing. */
      readonly carriedMs?: number;
    }
  /** The node was fenced in the session the replica was bound in. Permits release. */
  | { readonly kind: "node-fenced"; readonly node: string; readonly session: number }
  /** The agent came back in a later session, which begins with nothing running. Permits release. */
  | { readonly kind: "session-ended"; readonly node: string; readonly session: number }
  /**
   * The node was fenced and has been silent for as long as the workload waits for one that keeps
   * running. Permits giving its index to another, and nothing else: the replica may still run.
   */
  | { readonly kind: "replace-after"; readonly node: string; readonly session: number }
  /**
   * A replica that was replaced is back, and this one of the two stays. Permits eviction of the
   * other.
   */
  | { readonly kind: "reconciled"; readonly stays: ObjectKey }
  /**
   * Somebody deleted the Node while replicas held it, and its last lease is over for as long as
   * fencing takes. Permits the release of replicas that do not keep running, and of the lease once
   * none is left.
   */
  | { readonly kind: "node-vanished"; readonly node: string; readonly session: number }
  /**
   * The agent goes on in the session the replica was bound in, and does not know of it. Permits
   * release.
   */
  | { readonly kind: "agent-forgot"; readonly node: string; readonly session: number }
  /** A person vouches that the node is gone for good. Permits fencing. */
  | { readonly kind: "person"; readonly name: string; readonly statement: string }
  /** The workload no longer wants this index or generation. Permits eviction. */
  | { readonly kind: "surplus"; readonly workload: ObjectKey }
  /**
   * The workload moves to another template, and enough others serve. Permits asking those of the
   * old one to stop.
   */
  | { readonly kind: "rollout"; readonly workload: ObjectKey }
  /**
   * The gang held quota for as long as it may without finding room. Permits eviction of what is
   * queued.
   */
  | { readonly kind: "gang-deadline"; readonly workload: ObjectKey }
  /** The job is over. Permits eviction of what is left of it. */
  | { readonly kind: "job-over"; readonly workload: ObjectKey }
  /** The job has been over for as long as it was to be kept. Permits its deletion. */
  | { readonly kind: "job-ttl"; readonly workload: ObjectKey }
  /** The node is being drained. Permits eviction. */
  | { readonly kind: "drain"; readonly node: string }
  /**
   * The policy was set back to an earlier revision, and the one that was left says that what came
   * of it goes. Permits eviction, and the release of room that is held.
   */
  | { readonly kind: "policy-rollback"; readonly policy: ObjectKey; readonly revision: string }
  /**
   * The deadline of a drain has passed that says so. Permits eviction beyond what workloads can
   * spare.
   */
  | { readonly kind: "drain-forced"; readonly node: string }
  /**
   * The waiting replica is one that its own tenant's quota covers, and the group has none left
   * because others use more than theirs. Permits eviction of such another's.
   */
  | { readonly kind: "quota-reclaim"; readonly waiting: ObjectKey }
  /**
   * The tenant's quota no longer covers what it uses, and says that the rest is to be drained.
   * Permits eviction.
   */
  | { readonly kind: "quota-shrunk"; readonly quota: ObjectKey }
  /**
   * A replica of a higher class needs the room, and it is held for that one. Permits asking others
   * to stop.
   */
  | { readonly kind: "preempted"; readonly by: ObjectKey }
  /**
   * Room was held for its owner as long as it was meant to be. Permits the release of that
   * reservation.
   */
  | { readonly kind: "hold-over"; readonly owner: ObjectKey }
  /**
   * The node was held from new work for flapping as long as was said. Permits the end of the hold.
   */
  | { readonly kind: "damping-over"; readonly node: string }
  /** The load was so at this observation. Permits another number of replicas. */
  | { readonly kind: "load-observed"; readonly autoscaler: ObjectKey; readonly observation: number }
  /** The time of an override has passed, by the authority's own clock. Permits its removal. */
  | { readonly kind: "override-over"; readonly override: ObjectKey; readonly untilMs: number }
  /** A node of a pool was asked for and did not come in time, or will not. Permits its removal. */
  | { readonly kind: "provision-over"; readonly node: string }
  /**
   * It was bound while its region was partitioned, and now that the region is back an ordinary bind
   * would break this rule. Permits eviction, whatever its workload can spare.
   */
  | { readonly kind: "not-confirmed"; readonly region: string; readonly rule: string }
  /**
   * It was bound while its region was partitioned, and was not confirmed in time. Permits eviction,
   * as above.
   */
  | { readonly kind: "confirm-overdue"; readonly override: string }
  /**
   * The time of a budget has passed, by the authority's own clock, or it was withdrawn. Permits its
   * removal.
   */
  | { readonly kind: "budget-over"; readonly budget: ObjectKey; readonly untilMs: number }
  /** The time of a role binding has passed, by the authority's own clock. Permits its removal. */
  | { readonly kind: "binding-over"; readonly binding: ObjectKey; readonly untilMs: number }
  /** None of these objects, the owners of another one, exists any more. Permits its deletion. */
  | { readonly kind: "owners-gone"; readonly owners: readonly Uid[] }
  /** The owner of a reservation is gone or has moved on. Permits its release. */
  | { readonly kind: "owner-gone"; readonly owner: ObjectKey };

/**
 * For how long the node had been silent, over all leaderships; undefined where none measured it.
 */
export const silenceOf = (evidence: Evidence | undefined): number | undefined =>
  evidence?.kind === "lease-expired" && evidence.silentMs !== undefined
    ? evidence.silentMs + (evidence.carriedMs ?? 0)
    : undefined;
