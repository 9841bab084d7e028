/**
 * When a region's plane asks the global plane, and what it does with the answer. It runs in the
 * leading plane of the region, on the clock of that plane's authority, and lives as long as
 * the leadership: a term counts from the time at which it was asked for, on that clock.
 *
 * It decides the times alone. The report is read from what the plane has published, and terms are
 * checked by the authority that takes them, so a lost memory costs one full report and no more.
 */
import type { Component } from "../kernel/component.ts";
import type { Revision } from "../model/ids.ts";
import type { Outcome } from "../protocol/outcome.ts";
import type { RegionTerms } from "../protocol/region-exchange.ts";
import type { Turn } from "../protocol/turn.ts";
import { REGION_MOST } from "../model/limits/region-limits.ts";
import { REGION_LINK_LIMITS } from "./limits.ts";

export type RegionLinkInput =
  /** The plane leads and shows its log up to `at`; of every change after it the link is told. */
  | { readonly kind: "started"; readonly at: Revision }
  | { readonly kind: "timer" }
  /**
   * The plane has published up to `to`, and with it changed what these tenants hold or wait for.
   * It is told before a report of this revision is read.
   */
  | { readonly kind: "published"; readonly to: Revision; readonly tenants: Iterable<string> }
  /** The answer to a question, also a late one or a second one. */
  | { readonly kind: "answered"; readonly answer: ExchangeAnswer }
  /**
   * What the region's authority said to `take-terms`; undefined: it could not be asked. It always
   * comes while the leadership lasts.
   */
  | { readonly kind: "taken"; readonly outcome: Outcome | undefined };

export type ExchangeAnswer =
  | { readonly kind: "terms"; readonly terms: RegionTerms }
  /** The global authority rejected the report. */
  | { readonly kind: "rejected"; readonly code: string }
  /** There is no connection, or the global plane has no leader. */
  | { readonly kind: "unreachable" };

export type RegionLinkEffect =
  /**
   * Reads a report of the published state and sends it. `askedMs` is this turn's time. `changed`
   * are the tenants to report on; `from` 0: all of them.
   */
  | {
      readonly kind: "ask";
      readonly askedMs: number;
      readonly from: Revision;
      readonly changed: ReadonlySet<string>;
    }
  /** Submits `take-terms` to the region's own authority. */
  | { readonly kind: "take"; readonly terms: RegionTerms }
  /** There is one timer; setting it again moves it. */
  | { readonly kind: "timer"; readonly atMs: number };

const value = (name: keyof typeof REGION_LINK_LIMITS): number => REGION_LINK_LIMITS[name].value;

export class RegionLink implements Component<RegionLinkInput, RegionLinkEffect> {
  /** When a tenant changed last, for those that the next report has to tell of. */
  private readonly changed = new Map<string, Revision>();
  /** Changes before it are unknown here. */
  private toldFrom: Revision = 0;
  /** Up to where the global plane has heard everything; 0: unknown. */
  private heardTo: Revision = 0;
  /** When the question under way is given up; undefined: none is. */
  private answerDueMs: number | undefined;
  private isTaking = false;
  /** When the next question is sent. */
  private askMs = 0;
  private lastAskedMs = -Infinity;
  /** Questions without an effect since the last one that had any. */
  private failures = 0;
  /** How long it rested before the last question; grows up to the heartbeat. */
  private restMs = 0;
  private heartbeatMs = value("heartbeat");
  private hasNews = false;
  /** Why the last exchange failed, for people; undefined: it did not. */
  trouble: string | undefined;

  receive(input: RegionLinkInput, turn: Turn): readonly RegionLinkEffect[] {
    switch (input.kind) {
      case "started":
        this.toldFrom = input.at;
        this.askMs = turn.now;
        return this.goOn(turn);
      case "timer":
        return this.goOn(turn);
      case "published":
        return this.published(input, turn);
      case "answered":
        return this.answered(input.answer, turn);
      case "taken":
        return this.taken(input.outcome, turn);
    }
  }

  private published(
    { to, tenants }: Extract<RegionLinkInput, { kind: "published" }>,
    turn: Turn,
  ): readonly RegionLinkEffect[] {
    const { askMs } = this;
    let isNews = false;
    for (const tenant of tenants) {
      this.changed.set(tenant, to);
      isNews = true;
    }
    if (!isNews) return [];
    this.hasNews = true;
    // A link that is down is not asked more often because much happens here.
    if (this.failures === 0) this.askAfter(value("askEvery"), turn);
    return this.askMs === askMs ? [] : this.goOn(turn);
  }

  private answered(answer: ExchangeAnswer, turn: Turn): readonly RegionLinkEffect[] {
    this.answerDueMs = undefined;
    switch (answer.kind) {
      case "terms":
        // The second of two answers has nothing that the first or the next one has not.
        if (this.isTaking) return this.goOn(turn);
        this.isTaking = true;
        return [{ kind: "take", terms: this.noted(answer.terms) }, ...this.goOn(turn)];
      case "rejected":
        return this.failed(answer.code, turn);
      case "unreachable":
        return this.failed("unreachable", turn);
    }
  }

  private noted(terms: RegionTerms): RegionTerms {
    this.heartbeatMs = Math.min(
      value("heartbeat"),
      Math.max(value("askEvery"), Math.floor(terms.termMs / value("asksPerTerm"))),
    );
    const { revision } = terms.heard;
    // An answer to an earlier leadership says nothing of the changes between it and this one.
    this.heardTo = revision >= this.toldFrom ? revision : 0;
    for (const [tenant, at] of this.changed) {
      if (at <= this.heardTo) this.changed.delete(tenant);
    }
    // A region confirms new rights soon, so that the global plane can count on it.
    this.hasNews = this.changed.size > 0 || terms.grants.length > 0 || hasMore(terms);
    return terms;
  }

  private taken(outcome: Outcome | undefined, turn: Turn): readonly RegionLinkEffect[] {
    this.isTaking = false;
    if (outcome === undefined) return this.failed("unavailable", turn);
    if (outcome.kind !== "committed" && outcome.kind !== "duplicate") {
      return this.failed(outcome.code, turn);
    }
    this.trouble = undefined;
    this.failures = 0;
    const quietMs = Math.max(value("askEvery"), 2 * this.restMs);
    this.restMs = this.hasNews ? value("askEvery") : Math.min(this.heartbeatMs, quietMs);
    this.askMs = Infinity;
    this.askAfter(this.restMs, turn);
    return this.goOn(turn);
  }

  /** After a failure everything is reported anew: the reason may be what was left out. */
  private failed(why: string, turn: Turn): readonly RegionLinkEffect[] {
    this.answerDueMs = undefined;
    this.trouble = why;
    this.heardTo = 0;
    this.failures += 1;
    const mostMs = Math.max(this.heartbeatMs, value("askEvery"));
    const fullMs = Math.min(mostMs, value("askEvery") * 2 ** Math.min(this.failures - 1, 10));
    // Over the upper half, so that all regions do not return in one moment.
    const half = Math.floor(fullMs / 2);
    const jitter = turn.random("region-link", String(this.failures)) % (half + 1);
    this.askMs = Infinity;
    this.askAfter(half + jitter, turn);
    return this.goOn(turn);
  }

  private askAfter(delayMs: number, turn: Turn): void {
    const earliestMs = this.lastAskedMs + value("askEvery");
    this.askMs = Math.min(this.askMs, Math.max(turn.now + delayMs, earliestMs));
  }

  /** Asks if it is time and no exchange is under way. */
  private goOn(turn: Turn): readonly RegionLinkEffect[] {
    if (this.isTaking) return [];
    if (this.answerDueMs !== undefined) {
      if (turn.now < this.answerDueMs) return [{ kind: "timer", atMs: this.answerDueMs }];
      return this.failed("no answer", turn);
    }
    if (turn.now < this.askMs) return [{ kind: "timer", atMs: this.askMs }];
    this.lastAskedMs = turn.now;
    this.askMs = Infinity;
    this.answerDueMs = turn.now + value("answer");
    this.hasNews = false;
    const ask = {
      kind: "ask",
      askedMs: turn.now,
      from: this.heardTo,
      changed: new Set(this.changed.keys()),
    } as const;
    return [ask, { kind: "timer", atMs: this.answerDueMs }];
  }
}

/** The next answer has more of the global plane's objects. */
const hasMore = ({ objects, names }: RegionTerms): boolean =>
  names !== undefined || objects.length >= REGION_MOST.objectsPerExchange;
