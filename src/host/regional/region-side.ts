/**
 * The region's end of the link to the global plane: for each leadership of this plane it runs the
 * core's `RegionLink` on the clock of the plane's authority, reads reports from what the plane has
 * published, and submits the terms that come back. It decides nothing.
 */
import { KeyedTurn } from "../../core/kernel/keyed-turn.ts";
import type { Actor } from "../../core/model/actor.ts";
import type { Epoch } from "../../core/model/ids.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { incarnateOperation, takeTermsOperation } from "../../core/regional/link-operations.ts";
import type { RegionReport, RegionTerms } from "../../core/protocol/region-exchange.ts";
import {
  type ExchangeAnswer,
  RegionLink,
  type RegionLinkEffect,
  type RegionLinkInput,
} from "../../core/regional/region-link.ts";
import { tenantsTouched } from "../../core/regional/tenants-touched.ts";
import { reportOf } from "../../core/rules/regional/report-of.ts";
import type { HostClock } from "../host-clock.ts";
import type { PlanePort } from "../plane-port.ts";
import { incarnationAfter } from "./incarnation-after.ts";

export interface RegionSideOptions {
  readonly plane: PlanePort;
  /** That of the plane: terms count on it. */
  readonly clock: HostClock;
  readonly region: string;
  /** Resolves with every answer, also that there was none; `signal` gives the question up. */
  readonly exchange: (report: RegionReport, signal: AbortSignal) => Promise<ExchangeAnswer>;
  /** Told when the link begins to fail and when it works again. */
  readonly onTrouble: (trouble: string | undefined) => void;
}

/** Signs what the link submits. */
const LINK: Actor = { role: "region-link", name: "region-link" };
/** A leadership that has just begun may answer nothing for a moment. */
const AGAIN_MS = 500;
/** Longer than a link waits for its answer: a connection must not outlive the question for long. */
const GIVE_UP_MS = 10_000;

/** What operators see of the link. */
export interface LinkStanding {
  /** The last exchange that was taken, on this machine's clock; undefined: none by this process. */
  readonly heardMs: number | undefined;
  readonly trouble: string | undefined;
}

export class RegionSide {
  private readonly options: RegionSideOptions;
  private readonly stop: () => void;
  private leadership: Leadership | undefined;
  private isClosed = false;
  private heardMs: number | undefined;
  private trouble: string | undefined;

  constructor(options: RegionSideOptions) {
    this.options = options;
    this.stop = options.plane.onPublish((commits) => this.published(commits));
    this.published([]);
  }

  get standing(): LinkStanding {
    return { heardMs: this.heardMs, trouble: this.trouble };
  }

  close(): void {
    this.isClosed = true;
    this.stop();
    this.leadership?.close();
  }

  private published(commits: readonly Commit[]): void {
    const { plane } = this.options;
    if (this.isClosed) return;
    if (this.leadership?.epoch !== plane.epoch || !plane.isLeading) {
      this.leadership?.close();
      this.leadership = undefined;
    }
    if (!plane.isLeading) return;
    this.leadership ??= new Leadership(this.options, (trouble) => this.told(trouble));
    this.leadership.published(commits);
  }

  private told(trouble: string | undefined): void {
    if (trouble === undefined) this.heardMs = this.options.clock.nowMs();
    if (trouble === this.trouble) return;
    this.trouble = trouble;
    this.options.onTrouble(trouble);
  }
}

/** One leadership of the region's plane. */
class Leadership {
  readonly epoch: Epoch;
  private readonly options: RegionSideOptions;
  private readonly onExchange: (trouble: string | undefined) => void;
  private readonly turn: KeyedTurn;
  private readonly asking = new Set<AbortController>();
  private link: RegionLink | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isIncarnating = false;
  private isClosed = false;

  constructor(options: RegionSideOptions, onExchange: (trouble: string | undefined) => void) {
    this.options = options;
    this.onExchange = onExchange;
    this.epoch = options.plane.epoch;
    const seed = (options.clock.nowMs() ^ process.pid) >>> 0;
    this.turn = new KeyedTurn(seed, `region-link:${options.region}`);
  }

  published(commits: readonly Commit[]): void {
    const { plane } = this.options;
    const to = plane.revision;
    if (this.link !== undefined) {
      this.give({ kind: "published", to, tenants: tenantsTouched(commits) });
      return;
    }
    if (!this.isIncarnated()) return;
    this.link = new RegionLink();
    this.give({ kind: "started", at: to });
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    for (const each of this.asking) each.abort();
  }

  /** Whether the log says which plane this is; asks for it where it does not yet. */
  private isIncarnated(): boolean {
    const { plane } = this.options;
    const incarnation = incarnationAfter(plane.epoch);
    const held = plane.objects.plane?.status;
    if (held !== undefined && held.incarnation >= incarnation) return true;
    if (!this.isIncarnating) void this.incarnate(incarnation);
    return false;
  }

  private async incarnate(incarnation: number): Promise<void> {
    const { plane, region } = this.options;
    this.isIncarnating = true;
    const of = { role: "regional", region } as const;
    const operation = incarnateOperation(of, incarnation);
    await plane.submit({ kind: "incarnate", operation, plane: of, incarnation }, LINK);
    // A commit comes with the next publish; after a rejection the link tries again later.
    this.timer = setTimeout(() => {
      this.isIncarnating = false;
      if (!this.isClosed) this.published([]);
    }, AGAIN_MS);
  }

  private give(input: RegionLinkInput): void {
    const { link, turn } = this;
    if (link === undefined || this.isClosed) return;
    turn.now = this.options.clock.nowMs();
    const effects = link.receive(input, turn);
    if (input.kind === "taken" || link.trouble !== undefined) this.onExchange(link.trouble);
    for (const effect of effects) this.carryOut(effect);
  }

  private carryOut(effect: RegionLinkEffect): void {
    const { clock } = this.options;
    switch (effect.kind) {
      case "timer":
        clearTimeout(this.timer);
        this.timer = setTimeout(
          () => this.give({ kind: "timer" }),
          Math.max(1, effect.atMs - clock.nowMs()),
        );
        return;
      case "ask":
        void this.ask(effect);
        return;
      case "take":
        void this.take(effect.terms);
    }
  }

  private async take(terms: RegionTerms): Promise<void> {
    const operation = takeTermsOperation(terms);
    const reply = await this.options.plane.submit({ kind: "take-terms", operation, terms }, LINK);
    this.give({ kind: "taken", outcome: reply.kind === "outcome" ? reply.outcome : undefined });
  }

  private async ask(effect: Extract<RegionLinkEffect, { kind: "ask" }>): Promise<void> {
    const { from, changed, askedMs } = effect;
    const { plane, exchange } = this.options;
    const { epoch, revision } = plane;
    const report = reportOf(plane.objects, { from, changed }, { epoch, revision, askedMs });
    if (report === undefined) return;
    const controller = new AbortController();
    this.asking.add(controller);
    const giveUp = setTimeout(() => controller.abort(), GIVE_UP_MS);
    const answer = await exchange(report, controller.signal);
    clearTimeout(giveUp);
    this.asking.delete(controller);
    this.give({ kind: "answered", answer });
  }
}
