/**
 * Where a plane stands with a log that several planes share: how far it has followed it, whether
 * the log is its own, and until when that can be relied on. It turns what the store says into what
 * the authority is told, in the one order that is safe: all that is durable, then the lead, and
 * before anything else that the lead has lapsed.
 *
 * It has no clock: times are handed in, of whatever clock only runs forward.
 */
import { assert } from "../model/assert.ts";
import type { AuthorityInput } from "../kernel/component.ts";
import type { Epoch, Revision } from "../model/ids.ts";

/**
 * How long an unrenewed lease lasts. A plane that dies is missed for so long; one that is only slow
 * for so long loses the lead for nothing.
 */
export const LEASE_MS = 5_000;
/** Two renewals may be lost before the third comes too late. */
export const RENEW_MS = Math.floor(LEASE_MS / 3);
/**
 * So much earlier than the store a plane takes its lease for ended. Clocks differ by a hundredth at
 * most (CL1), 50 ms of a lease; the rest is for what happens between a look at the clock and the
 * answer that leaves.
 */
export const LEASE_MARGIN_MS = 250;

/** A lease counts from when it was asked for: the store's own count began later. */
export const reliableUntil = (sentMs: number): number => sentMs + LEASE_MS - LEASE_MARGIN_MS;

export interface Won {
  readonly epoch: Epoch;
  /** The log ended here when it became ours: no earlier leader can append any more. */
  readonly end: Revision;
}

type Followed = Extract<AuthorityInput, { kind: "followed" }>;

export class PlaneStanding {
  private state: "follows" | "leads" = "follows";
  /**
   * How far the authority was told of the log since it last asked for it; undefined: nothing yet.
   */
  private told: Revision | undefined;
  private won: Won | undefined;
  private reliableUntilMs = 0;

  get leads(): boolean {
    return this.state === "leads";
  }
  /** The leadership that the store has given it, whether it has read the log to its end or not. */
  get term(): Epoch | undefined {
    return this.won?.epoch;
  }
  /** Where following goes on; undefined: from the beginning, or from a snapshot. */
  get followsAfter(): Revision | undefined {
    return this.told;
  }
  /** From here on the lease may be over. */
  get untilMs(): number {
    return this.reliableUntilMs;
  }

  /** The authority has asked for the log: whatever it was told before counts for nothing. */
  follow(): void {
    this.state = "follows";
    this.told = undefined;
    this.won = undefined;
    this.reliableUntilMs = 0;
  }

  /** The store has told what is durable. A leader knows what it appended. */
  heard(news: Omit<Followed, "kind">, nowMs: number): readonly AuthorityInput[] {
    if (this.state === "leads") return [];
    const { snapshot, commits } = news;
    this.told = commits.at(-1)?.revision ?? snapshot?.revision ?? this.told ?? 0;
    return [{ kind: "followed", ...news }, ...this.takeOver(nowMs)];
  }

  /** The store has given it the log, under a lease that can be relied on until then. */
  wins(won: Won, untilMs: number, nowMs: number): readonly AuthorityInput[] {
    assert(
      this.state === "follows",
      `The log was won under epoch ${won.epoch} by the current leader.`,
    );
    this.won = won;
    this.reliableUntilMs = untilMs;
    return this.takeOver(nowMs);
  }

  /** Renewals that were granted have made it longer, or the store has said that it is over: 0. */
  reliesUntil(untilMs: number): void {
    this.reliableUntilMs = untilMs;
  }

  /** To be asked before every turn of the authority, and given to it first. */
  lapses(nowMs: number): readonly AuthorityInput[] {
    if (nowMs < this.reliableUntilMs) return [];
    this.won = undefined;
    return this.state === "leads" ? [{ kind: "lapsed" }] : [];
  }

  /**
   * Nothing is led on a lease that may be over, or before all is known that the one before has made
   * durable.
   */
  private takeOver(nowMs: number): readonly AuthorityInput[] {
    const { won, told } = this;
    if (won === undefined || told === undefined || nowMs >= this.reliableUntilMs) return [];
    if (told < won.end) return [];
    this.state = "leads";
    return [{ kind: "took-over", ...won }];
  }
}
