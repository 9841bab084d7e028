/**
 * The region's end of its link: in each leading plane of the region it runs the product's own
 * `RegionLink`, reads reports from what that plane has published, and submits the terms that come.
 */
import { KeyedTurn } from "../../core/kernel/keyed-turn.ts";
import { takeTermsOperation } from "../../core/regional/link-operations.ts";
import type { RegionReport } from "../../core/protocol/region-exchange.ts";
import {
  type ExchangeAnswer,
  RegionLink,
  type RegionLinkEffect,
  type RegionLinkInput,
} from "../../core/regional/region-link.ts";
import { tenantsTouched } from "../../core/regional/tenants-touched.ts";
import { reportOf } from "../../core/rules/regional/report-of.ts";
import type { PlaneProcess } from "../hosts/plane-process.ts";
import { incarnated } from "./incarnated.ts";
import type { Estate } from "./estate.ts";
import { LeadingPlane } from "./leading-plane.ts";

export class RegionSide {
  private readonly estate: Estate;
  private readonly send: (report: RegionReport) => void;
  private seats: Seat[] = [];

  constructor(estate: Estate, send: (report: RegionReport) => void) {
    this.estate = estate;
    this.send = send;
  }

  /** To the run that the estate has now. */
  attach(): void {
    this.seats = [];
    this.estate.sim.onShown = (plane) => this.shown(plane);
  }

  /** An answer of the global plane arrives; the newest leadership has the connection. */
  hear(answer: ExchangeAnswer): void {
    this.seats = this.seats.filter(({ leading }) => leading.isLive);
    this.seats.toSorted((a, b) => b.leading.epoch - a.leading.epoch)[0]?.hear(answer);
  }

  private shown(plane: PlaneProcess): void {
    if (plane.component?.isLeading !== true) return;
    let seat = this.seats.find(({ leading }) => leading.plane === plane && leading.isLive);
    if (seat === undefined) {
      seat = new Seat(this.estate, plane, this.send);
      this.seats = [...this.seats.filter(({ leading }) => leading.isLive), seat];
    }
    seat.shown();
  }
}

/** One leadership of the region. */
class Seat {
  readonly leading: LeadingPlane;
  private readonly estate: Estate;
  private readonly send: (report: RegionReport) => void;
  private readonly turn: KeyedTurn;
  private link: RegionLink | undefined;
  private told = 0;
  private timerMs = Infinity;
  private isLooking = false;

  constructor(estate: Estate, plane: PlaneProcess, send: (report: RegionReport) => void) {
    this.estate = estate;
    this.leading = new LeadingPlane(estate, plane);
    this.send = send;
    this.turn = new KeyedTurn(estate.sim.seed, `region-link:${plane.name}`);
  }

  shown(): void {
    if (this.isLooking) return;
    this.isLooking = true;
    this.leading.soon(() => {
      this.isLooking = false;
      this.look();
    });
  }

  hear(answer: ExchangeAnswer): void {
    this.give({ kind: "answered", answer });
  }

  private look(): void {
    const { leading, estate } = this;
    const to = leading.published;
    if (this.link === undefined) {
      const role = { role: "regional", region: estate.name } as const;
      if (!incarnated(leading, role, estate.incarnation, () => this.shown())) return;
      this.link = new RegionLink();
      this.told = to;
      this.give({ kind: "started", at: to });
      return;
    }
    const commits = estate.sim.store.commits.slice(this.told, to);
    this.told = Math.max(this.told, to);
    this.give({ kind: "published", to, tenants: tenantsTouched(commits) });
  }

  private give(input: RegionLinkInput): void {
    const { link, turn, leading } = this;
    if (link === undefined) return;
    turn.now = leading.nowMs;
    for (const effect of link.receive(input, turn)) this.carryOut(effect);
  }

  private carryOut(effect: RegionLinkEffect): void {
    const { leading } = this;
    switch (effect.kind) {
      case "timer":
        this.timerMs = effect.atMs;
        this.queueTimer();
        return;
      case "ask": {
        const { from, changed, askedMs } = effect;
        const { epoch, published: revision } = leading;
        const report = reportOf(leading.objects, { from, changed }, { epoch, revision, askedMs });
        if (report !== undefined) this.send(report);
        return;
      }
      case "take": {
        const { terms } = effect;
        const operation = takeTermsOperation(terms);
        leading.submit({ kind: "take-terms", operation, terms }, "region-link", (reply) => {
          const outcome = reply.kind === "outcome" ? reply.outcome : undefined;
          this.give({ kind: "taken", outcome });
        });
      }
    }
  }

  /** A clock that changes its rate makes the timer late at most. */
  private queueTimer(): void {
    const { leading, timerMs } = this;
    const delayMs = Math.max(1, leading.plane.trueTimeOf(timerMs) - this.estate.sim.nowMs);
    leading.later(delayMs, () => {
      if (this.timerMs !== timerMs) return;
      if (leading.nowMs < timerMs) return this.queueTimer();
      this.timerMs = Infinity;
      this.give({ kind: "timer" });
    });
  }
}
