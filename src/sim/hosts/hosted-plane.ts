/**
 * What the host of one of several planes keeps for it: its standing with the log, whom it takes for
 * the leader, what waits.
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

/** A list that is answered once all is shown that was durable when it was asked for. */
export interface WaitingList {
  readonly event: Extract<PlaneEvent, { readonly kind: "list-asked" }>;
  readonly end: Revision;
}

export class HostedPlane {
  standing = new PlaneStanding();
  /** As it last heard; undefined while it believes that nobody leads. */
  leader: PlaneProcess | undefined;
  /** Counts attempts to lead over the whole run. */
  attempts = 0;
  /** The attempt that is under way; 0 when none is. */
  attempt = 0;
  /** Counts renewals over the whole run; `late-renewal` faults name them by this. */
  renewals = 0;
  /** Whether news of the log is on its way: what lands meanwhile travels with it. */
  isNewsDue = false;
  /** Watches cannot begin before this: it came here by a snapshot and knows nothing of the way. */
  shownFrom: Revision = 0;
  isPaused = false;
  /** Counts pauses, so that an earlier one's end wakes nobody. */
  pauses = 0;
  /** True times until which it cannot reach the store, or is told no news of the log. */
  cutUntilMs = 0;
  stalledUntilMs = 0;
  /** Appends the store has not answered, and how far the log goes with them. */
  readonly unanswered = new Set<number>();
  sentTo: Revision = 0;
  readonly passedOn = new Map<number, PassedOn>();
  readonly lists: WaitingList[] = [];
  /** What happened to it while it was paused. */
  readonly held: PlaneEvent[] = [];

  /** Everything in memory is gone. */
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
