/**
 * Replicas that are bound to a node and that its agent, in the same session and on a view that
 * should show them, does not list among those it knows of.
 */
import type { ObjectKey, Revision, Uid } from "../ids.ts";

export interface Forgotten {
  /**
   * The view that the agent's last list was made on: whatever has changed since may have told it.
   */
  readonly asOf: Revision;
  readonly replicas: readonly ForgottenReplica[];
}

export interface ForgottenReplica {
  readonly replica: ObjectKey;
  /**
   * A namesake counts its incarnations from one again, and is missing for the first time. Older
   * logs do not say it.
   */
  readonly uid?: Uid;
  readonly incarnation: number;
  /** How many lists in a row it was missing from. */
  readonly times: number;
}

/**
 * Lists come every fifteen seconds, and an agent compares its view with a full list every sixty
 * (RN5): who is missing from this many in a row was missing from that, too.
 */
export const FORGOTTEN_TIMES = 6;

/**
 * Kept with a lease, which is written with every renewal; the rest have their turn when these are
 * gone.
 */
export const FORGOTTEN_KEPT = 64;
