/**
 * A global plane and the plane of its region `west`, with nothing between them: a test carries the messages. The
 * tenant `payments` may use 1,000 of each amount.
 */
import type { Amounts } from "../../src/core/model/amounts.ts";
import { grantKey, quotaKey, regionKey, workloadKey } from "../../src/core/model/ids.ts";
import type { Grant } from "../../src/core/model/objects.ts";
import type { RegionHeard } from "../../src/core/model/regional/region-plane.ts";
import type { RegionalPlane } from "../../src/core/model/regional/plane.ts";
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import type { RegionReport, RegionTerms } from "../../src/core/protocol/region-exchange.ts";
import { heldOf } from "../../src/core/rules/regional/held.ts";
import { reportOf } from "../../src/core/rules/regional/report-of.ts";
import { regionalOf } from "../../src/core/rules/regional/term.ts";
import { termsFor } from "../../src/core/rules/regional/terms-for.ts";
import { Plane, putting } from "./a-plane.ts";
import { aWorkloadSpec } from "./a-workload.ts";

export const TERM_MS = 60_000;

/** The same of all amounts but devices. */
export const alike = (amount: number): Amounts => ({
  cpuMillis: amount,
  memoryMiB: amount,
  deviceMillis: 0,
});

export class RegionalPair {
  readonly global = new Plane();
  readonly west = new Plane();

  constructor() {
    this.global.must({ kind: "incarnate", plane: { role: "global" }, incarnation: 1 });
    this.global.tenant();
    this.planned("west");
    this.incarnateWest(1);
  }

  planned(region: string): void {
    const spec = { zones: [], plane: { termMs: TERM_MS } };
    this.global.must(putting(regionKey(region), { kind: "Region", spec }));
  }

  incarnateWest(incarnation: number): void {
    const plane = { role: "regional", region: "west" } as const;
    this.west.must({ kind: "incarnate", plane, incarnation });
  }

  pass(ms: number): void {
    this.global.nowMs += ms;
    this.west.nowMs += ms;
  }

  report(of: Partial<RegionReport> = {}): RegionReport {
    const { ledger, nowMs } = this.west;
    const at = { epoch: ledger.epoch, revision: ledger.revision, askedMs: nowMs };
    return { ...reportOf(ledger.objects, { from: 0, changed: [] }, at)!, ...of };
  }

  hear(report = this.report()): Outcome {
    return this.global.send({ kind: "hear", report });
  }

  terms(report = this.report()): RegionTerms {
    const { objects, revision } = this.global.ledger;
    return termsFor(objects, report, { revision })!;
  }

  take(terms = this.terms()): Outcome {
    return this.west.send({ kind: "take-terms", terms });
  }

  /** Question and answer, until both know all of each other. */
  exchange(times = 2): void {
    for (let time = 0; time < times; time += 1) {
      const report = this.report();
      this.global.must({ kind: "hear", report });
      this.west.must({ kind: "take-terms", terms: this.terms(report) });
    }
  }

  lend(
    amount: number,
    of: { readonly version?: number; readonly incarnation?: number } = {},
  ): Outcome {
    const version = of.version ?? (this.grant()?.spec.version ?? 0) + 1;
    const incarnation = of.incarnation ?? this.heard()?.incarnation ?? 1;
    const to = { tenant: "payments", region: "west", incarnation, version };
    return this.global.send({ kind: "lend", ...to, amounts: alike(amount) });
  }

  /** Queues replicas of 100 each in the region. */
  spend(indexes: readonly number[], incarnation = 1): Outcome {
    const workload = workloadKey("payments", "api");
    if (this.west.ledger.objects.workload(workload) === undefined) {
      const spec = aWorkloadSpec({ replicas: 20, ...alike(100) });
      this.west.must(putting(workload, { kind: "Workload", spec }));
    }
    return this.west.send({
      kind: "enqueue",
      workload,
      generation: 1,
      indexes: indexes.map((index) => ({ index, incarnation })),
    });
  }

  grant(region = "west"): Grant | undefined {
    return this.global.ledger.objects.all("Grant").get(grantKey("payments", region));
  }
  heard(): RegionHeard | undefined {
    return this.global.ledger.objects.all("Region").get(regionKey("west"))?.status.heard;
  }
  get plane(): RegionalPlane {
    return regionalOf(this.west.ledger.objects.plane)!;
  }
  held(): Amounts {
    return heldOf(this.west.ledger.objects, "payments");
  }
  limit(): Amounts | undefined {
    return this.west.ledger.objects.all("Quota").get(quotaKey("payments"))?.spec.limit;
  }
  committed(): Amounts {
    return this.global.account().committed;
  }
}
