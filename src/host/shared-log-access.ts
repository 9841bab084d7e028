/**
 * The access of a plane among several that share a log. It follows what is durable and stands for
 * the lead at the same time; once the lead is its own, it goes on following to where the log ended
 * then, and only there takes over. So a start, a take-over and an append whose outcome is unknown
 * are all the same way, and the state is warm.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { PlaneStanding } from "../core/commit/plane-standing.ts";
import type { AuthorityInput } from "../core/kernel/component.ts";
import type { Revision } from "../core/model/ids.ts";
import type { LogAccess, LogListener } from "./log-access.ts";
import type { Following, Led, LogNews, PlaneAddress, SharedLog } from "./store/shared-log.ts";

/** The store is asked again this much later when it could not be reached. */
const LEAD_AGAIN_MS = 1_000;

export interface SharedLogAccessOf {
  readonly log: SharedLog;
  readonly self: PlaneAddress;
  readonly plane: LogListener;
}

export class SharedLogAccess implements LogAccess {
  readonly isShared = true;
  readonly loaded: Promise<void>;
  private readonly of: SharedLogAccessOf;
  private readonly over = new AbortController();
  private following: Following | undefined;
  /** Says what the authority is told of all this, and when; the same as in the simulator. */
  private readonly place = new PlaneStanding();
  /**
   * The end of the log when the plane began: once it is followed to there, there is something to
   * show.
   */
  private firstEnd: Revision = 0;
  private standing: Promise<void> = Promise.resolve();
  /** Ends the wait for the lead of one claim. */
  private giveUp = new AbortController();
  private hasResigned = false;
  private tellLoaded:
    | { readonly resolve: () => void; readonly reject: (reason: Error) => void }
    | undefined;

  constructor(of: SharedLogAccessOf) {
    this.of = of;
    this.loaded = new Promise((resolve, reject) => {
      this.tellLoaded = { resolve, reject };
    });
    // The opener of the plane waits for it; a rejection before that must not end the process.
    this.loaded.catch(() => {});
  }

  async open(): Promise<void> {
    this.firstEnd = await this.of.log.end();
  }

  get isCertain(): boolean {
    return performance.now() < this.of.log.leadsUntilMs;
  }

  get leader(): PlaneAddress | undefined {
    const { leader } = this.of.log;
    return leader?.name === this.of.self.name ? undefined : leader;
  }

  newest(): Promise<Revision> {
    return this.of.log.end();
  }

  claim(): void {
    this.standDown();
    this.place.follow();
    // Of an empty log nothing else is told.
    this.tell(this.place.heard({ commits: [] }, performance.now()));
    this.following = this.of.log.follow(undefined, (news) => this.heard(news));
    this.standAgain();
  }

  lapses(): readonly AuthorityInput[] {
    const { place } = this;
    const hadWon = place.term !== undefined;
    place.reliesUntil(this.of.log.leadsUntilMs);
    const lapsed = place.lapses(performance.now());
    // It had not come to the end of the log yet, and goes on from where it is.
    if (hadWon && place.term === undefined && !place.leads) this.standAgain();
    return lapsed;
  }

  async resign(): Promise<void> {
    this.hasResigned = true;
    this.giveUp.abort();
    await this.standing;
    await this.of.log.resign();
  }

  async close(): Promise<void> {
    this.hasResigned = true;
    this.over.abort();
    this.standDown();
    await this.standing;
    await this.of.log.resign();
  }

  private standDown(): void {
    this.following?.stop();
    this.following = undefined;
    this.giveUp.abort();
  }

  private standAgain(): void {
    this.giveUp.abort();
    this.giveUp = new AbortController();
    if (!this.hasResigned) this.standing = this.standForLead(this.giveUp.signal);
  }

  private async standForLead(signal: AbortSignal): Promise<void> {
    const until = AbortSignal.any([signal, this.over.signal]);
    while (!until.aborted) {
      const led = await this.tryToLead(until);
      if (led === undefined) continue;
      // A plane that gave up meanwhile has not taken it: the store lets the same plane lead again
      // at once.
      if (until.aborted) return;
      const { leadsUntilMs } = this.of.log;
      this.tell(this.place.wins(led, leadsUntilMs, performance.now()));
      return;
    }
  }

  private async tryToLead(signal: AbortSignal): Promise<Led | undefined> {
    try {
      return await this.of.log.lead(this.of.self, signal);
    } catch (error) {
      this.of.plane.trouble("take the lead", error);
      await sleep(LEAD_AGAIN_MS, undefined, { signal }).catch(() => {});
      return undefined;
    }
  }

  private heard(news: LogNews): void {
    const { place, of } = this;
    switch (news.kind) {
      case "snapshot":
        this.tell(place.heard({ snapshot: news.snapshot, commits: [] }, performance.now()));
        break;
      case "commits":
        this.tell(place.heard({ commits: of.plane.filledIn(news.commits) }, performance.now()));
        break;
      case "damaged":
        this.tellLoaded?.reject(news.error);
        of.plane.trouble("follow the log", news.error);
        break;
    }
  }

  private tell(inputs: readonly AuthorityInput[]): void {
    for (const input of inputs) {
      if (input.kind === "followed") this.of.plane.followed(input);
      else if (input.kind === "took-over") {
        this.following?.stop();
        this.following = undefined;
        this.of.plane.tookOver(input);
      }
    }
    if ((this.place.followsAfter ?? 0) >= this.firstEnd) this.tellLoaded?.resolve();
  }
}
