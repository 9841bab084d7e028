/**
 * The global plane's end of all links. It submits what regions report, and answers from what the
 * plane has published once the report is durable. A plane becomes the global plane when somebody
 * states that a region has a plane of its own.
 */
import type { Actor, Credential } from "../../core/model/actor.ts";
import { hearOperation, incarnateOperation } from "../../core/regional/link-operations.ts";
import type { RegionReport } from "../../core/protocol/region-exchange.ts";
import type { ExchangeAnswer } from "../../core/regional/region-link.ts";
import { termsFor } from "../../core/rules/regional/terms-for.ts";
import type { PlanePort } from "../plane-port.ts";
import { incarnationAfter } from "./incarnation-after.ts";

/** A rejected attempt is made again with the next commit, and not more often than this. */
const AGAIN_MS = 500;

/** What a region states, taken in, and the terms for it. `by` is who brought the report. */
export async function answerReport(
  plane: PlanePort,
  report: RegionReport,
  by: Credential,
): Promise<ExchangeAnswer> {
  const actor: Actor = { role: "region-link", name: `region:${report.region}`, by };
  const intent = { kind: "hear", operation: hearOperation(report), report } as const;
  const reply = await plane.submit(intent, actor);
  if (reply.kind !== "outcome") return { kind: "unreachable" };
  const { outcome } = reply;
  if (outcome.kind === "conflict" || outcome.kind === "refused") {
    return { kind: "rejected", code: outcome.code };
  }
  // An answer comes after its commit was published, so the terms count the report in.
  const terms = termsFor(plane.objects, report, plane);
  return terms === undefined ? { kind: "unreachable" } : { kind: "terms", terms };
}

export class GlobalSide {
  private readonly plane: PlanePort;
  private readonly stop: () => void;
  private timer: NodeJS.Timeout | undefined;
  private isIncarnating = false;
  private isClosed = false;

  constructor(plane: PlanePort) {
    this.plane = plane;
    this.stop = plane.onPublish(() => this.look());
    this.look();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.stop();
  }

  private look(): void {
    const { plane } = this;
    if (this.isClosed || this.isIncarnating || !plane.isLeading || !this.isDue()) return;
    void this.incarnate();
  }

  private async incarnate(): Promise<void> {
    const { plane } = this;
    this.isIncarnating = true;
    const incarnation = incarnationAfter(plane.epoch);
    const of = { role: "global" } as const;
    const operation = incarnateOperation(of, incarnation);
    const actor = { role: "region-link", name: "region-link" } as const;
    await plane.submit({ kind: "incarnate", operation, plane: of, incarnation }, actor);
    this.timer = setTimeout(() => {
      this.isIncarnating = false;
      this.look();
    }, AGAIN_MS);
  }

  private isDue(): boolean {
    const { objects, epoch } = this.plane;
    const held = objects.plane?.status;
    if (held !== undefined) {
      return held.role === "global" && held.incarnation < incarnationAfter(epoch);
    }
    for (const { spec } of objects.all("Region").values()) {
      if (spec.plane !== undefined) return true;
    }
    return false;
  }
}
