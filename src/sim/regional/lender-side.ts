/**
 * The global plane's end of all links: it submits what regions report, and answers from what its
 * leading plane has published once the report is durable.
 */
import { operationId } from "../../core/model/ids.ts";
import { hearOperation } from "../../core/regional/link-operations.ts";
import type { RegionReport } from "../../core/protocol/region-exchange.ts";
import type { ExchangeAnswer } from "../../core/regional/region-link.ts";
import { termsFor } from "../../core/rules/regional/terms-for.ts";
import type { PlaneProcess } from "../hosts/plane-process.ts";
import type { Estate } from "./estate.ts";
import { incarnated } from "./incarnated.ts";
import { LeadingPlane } from "./leading-plane.ts";

type Answer = (region: string, answer: ExchangeAnswer) => void;

export class LenderSide {
  private readonly estate: Estate;
  private readonly answer: Answer;
  private leading: LeadingPlane | undefined;
  private isReady = false;
  /** Heard and durable, and not shown yet. */
  private waiting: { readonly report: RegionReport; readonly revision: number }[] = [];

  constructor(estate: Estate, answer: Answer) {
    this.estate = estate;
    this.answer = answer;
  }

  /** To the run that the estate has now. */
  attach(): void {
    this.leading = undefined;
    this.estate.sim.onShown = (plane) => this.shown(plane);
  }

  hear(report: RegionReport): void {
    const { leading } = this;
    const { region } = report;
    if (leading?.isLive !== true || !this.isReady) {
      return this.answer(region, { kind: "unreachable" });
    }
    const intent = { kind: "hear", operation: hearOperation(report), report } as const;
    leading.submit(intent, "region-link", (reply) => {
      if (reply.kind !== "outcome") return this.answer(region, { kind: "unreachable" });
      const { outcome } = reply;
      if (outcome.kind === "conflict" || outcome.kind === "refused") {
        return this.answer(region, { kind: "rejected", code: outcome.code });
      }
      const { revision } = outcome.kind === "duplicate" ? outcome.first : outcome;
      this.waiting.push({ report, revision });
      this.answerShown(leading);
    });
  }

  /** A person vouches for it, if there is a plane that hears it. */
  sayGone(region: string, incarnation: number): void {
    const { leading } = this;
    if (leading?.isLive !== true || !this.isReady) return;
    const operation = operationId(`region-gone/${region}/${incarnation}/${this.estate.sim.nowMs}`);
    const intent = {
      kind: "region-gone",
      operation,
      region,
      incarnation,
      evidence: { kind: "person", name: "ops", statement: "the region is gone" },
    } as const;
    leading.submit(intent, "user", () => undefined);
  }

  private shown(plane: PlaneProcess): void {
    if (plane.component?.isLeading !== true) return;
    const { leading } = this;
    if (leading?.isLive !== true || leading.plane !== plane) {
      if (leading?.isLive === true && leading.epoch > plane.epoch) return;
      this.leading = new LeadingPlane(this.estate, plane);
      this.isReady = false;
      this.waiting = [];
    }
    this.leading?.soon(() => this.look());
  }

  private look(): void {
    const { leading } = this;
    if (leading?.isLive !== true) return;
    if (!this.isReady) {
      const again = (): void => this.look();
      this.isReady = incarnated(leading, { role: "global" }, this.estate.incarnation, again);
    }
    this.answerShown(leading);
  }

  private answerShown(leading: LeadingPlane): void {
    const { published } = leading;
    const shown = this.waiting.filter(({ revision }) => revision <= published);
    if (shown.length === 0) return;
    this.waiting = this.waiting.filter(({ revision }) => revision > published);
    for (const { report } of shown) {
      const terms = termsFor(leading.objects, report, { revision: published });
      if (terms !== undefined) this.answer(report.region, { kind: "terms", terms });
    }
  }
}
