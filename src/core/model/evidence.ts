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
  /** The node is being drained. Permits eviction. */
  | { readonly kind: "drain"; readonly node: string }
  /** The owner of a reservation is gone or has moved on. Permits its release. */
  | { readonly kind: "owner-gone"; readonly owner: ObjectKey };
