/**
 * Why a destructive command may happen. A signal never proves a failure; each kind of evidence permits
 * one thing only, and the authority checks the claim against the truth before it commits (EV rules).
 */
import type { ObjectKey } from "./ids.ts";

export type Evidence =
  /** This lease was not renewed past its end, the agent's kill time and the clock bound. Permits fencing. */
  | {
      readonly kind: "lease-expired";
      readonly node: string;
      readonly session: number;
      readonly seq: number;
    }
  /** The node was fenced in the session the replica was bound in. Permits release. */
  | { readonly kind: "node-fenced"; readonly node: string; readonly session: number }
  /** The agent came back in a later session, which begins with nothing running. Permits release. */
  | { readonly kind: "session-ended"; readonly node: string; readonly session: number }
  /** A person vouches that the node is gone for good. Permits fencing. */
  | { readonly kind: "person"; readonly name: string; readonly statement: string }
  /** The workload no longer wants this slot or generation. Permits eviction. */
  | { readonly kind: "surplus"; readonly workload: ObjectKey }
  /** The gang held quota for as long as it may without finding room. Permits eviction of what is queued. */
  | { readonly kind: "gang-deadline"; readonly workload: ObjectKey }
  /** The node is being drained. Permits eviction. */
  | { readonly kind: "drain"; readonly node: string }
  /**
   * The waiting replica is one that its own tenant's quota covers, and the group has none left because others
   * use more than theirs. Permits eviction of such another's.
   */
  | { readonly kind: "quota-reclaim"; readonly waiting: ObjectKey }
  /** The tenant's quota no longer covers what it uses, and says that the rest is to be drained. Permits eviction. */
  | { readonly kind: "quota-shrunk"; readonly quota: ObjectKey }
  /** A replica of a higher class needs the room, and it is held for that one. Permits asking others to stop. */
  | { readonly kind: "preempted"; readonly by: ObjectKey }
  /** Room was held for its owner as long as it was meant to be. Permits the release of that reservation. */
  | { readonly kind: "hold-over"; readonly owner: ObjectKey }
  /** The owner of a reservation is gone or has moved on. Permits its release. */
  | { readonly kind: "owner-gone"; readonly owner: ObjectKey };
