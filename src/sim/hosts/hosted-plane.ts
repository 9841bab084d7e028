/**
 * The state that the host of one of several planes keeps for it: its standing with the log, its
 * idea of the leader, and waiting requests.
 */
import { PlaneStanding } from "../../core/commit/plane-standing.ts";
import type { Revision } from "../../core/model/ids.ts";
import type { PlaneProcess } from "./plane-process.ts";
import type { PlaneEvent } from "../sim-event.ts";

/** A request that another plane passed on, and where its answer goes. */
export interface PassedOn {
  readonly by: PlaneProcess;
  readonly incarnation: number;
  readonly call: number;
}

/** A list that waits until the plane shows everything that was durable when it was asked for. */
export interface WaitingList {
  readonly event: Extract<PlaneEvent, { readonly kind: "list-asked" }>;
  readonly end: Revision;
}

export class HostedPlane {
  standing = new PlaneStanding();
  /** As it last heard; undefined while it believes that there is no leader. */
  leader: PlaneProcess | undefined;
  /** Counts attempts to lead over the whole run. */
  attempts = 0;
  /** The current attempt; 0 when none is. */
  attempt = 0;
  /** Counts renewals over the whole run; `late-renewal` faults name them by this. */
  renewals = 0;
  /** Whether news of the log is on its way: commits that land meanwhile travel with it. */
  isNewsDue = false;
  /**
   * The first revision that watches can begin at: the plane got its state from a snapshot and has
   * no earlier commits.
   */
  shownFrom: Revision = 0;
  isPaused = false;
  /** Counts pauses, so that the end of an earlier one wakes nothing. */
  pauses = 0;
  /** True times until which it cannot reach the store, or hears no news of the log. */
  cutUntilMs = 0;
  stalledUntilMs = 0;
  /** Appends without an answer of the store, and the end of the log with them. */
  readonly unanswered = new Set<number>();
  sentTo: Revision = 0;
  readonly passedOn = new Map<number, PassedOn>();
  readonly lists: WaitingList[] = [];
  /** The events that arrived while it was paused. */
  readonly held: PlaneEvent[] = [];

  /** A crash clears the memory. */
  clear(): void {
    this.standing = new PlaneStanding();
    this.leader = undefined;
    this.attempt = 0;
    this.isNewsDue = false;
    this.isPaused = false;
    this.pauses++;
    this.unanswered.clear();
    this.passedOn.clear();
    this.lists.length = 0;
    this.held.length = 0;
  }
}
