/**
 * [INV222] Once a term is over by true time and the bounds of clocks, and in a leadership that has
 * no term of its own, a region charges a tenant no more than when the term ended.
 *
 * It would break by a term that is counted from the answer, by the clock of another machine or of
 * an earlier leadership, and by rights that outlast their term.
 */
import type { Amounts } from "../../../core/model/amounts.ts";
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { RegionReport } from "../../../core/protocol/region-exchange.ts";
import type { Report } from "../checker.ts";
import { GLOBAL } from "../../regional/regional-world.ts";
import { Charges } from "./charges.ts";
import type { EstateTruth, Realm, RegionalChecker } from "./realm.ts";
import { firstBeyond, none } from "./tenant-sums.ts";

/** A clock that is slow by a hundredth needs so many true thousandths for one of its own. */
const SLOWEST_PER_THOUSAND = 1_011;
/** From the decision of the authority until its commit is durable. */
const APPEND_MS = 200;

interface Watched {
  charges: Charges;
  epoch: number;
  /** True times at which questions were asked, by leadership and its own time. */
  asked: Map<string, number>;
  /** True time until which new work may be charged. */
  untilMs: number;
  /** What each tenant was charged when the last term ended; undefined while one may be in force. */
  ceilings: ReadonlyMap<string, Amounts> | undefined;
}

export class SpendingChecker implements RegionalChecker {
  readonly name = "spending";
  private readonly watched = new Map<string, Watched>();

  reported(sent: RegionReport, at: EstateTruth, realm: Realm): void {
    const { asked } = this.of(at);
    asked.set(`${sent.epoch} ${sent.askedMs}`, realm.nowMs);
  }

  restored(at: EstateTruth): void {
    this.watched.delete(at.name);
    if (at.name !== GLOBAL) this.of(at).charges = Charges.of(at.truth.objects);
  }

  committed(commit: Commit, at: EstateTruth, realm: Realm, report: Report): void {
    if (at.name === GLOBAL) return;
    const of = this.of(at);
    const nowMs = at.truth.nowMs;
    if (commit.epoch > of.epoch) {
      of.epoch = commit.epoch;
      of.untilMs = 0;
    }
    const isOver = nowMs > of.untilMs + APPEND_MS;
    if (isOver) of.ceilings ??= of.charges.copy();
    else of.ceilings = undefined;
    const before = of.charges.see(commit);
    for (const [tenant, was] of before) this.compare({ tenant, was, of, at, commit }, report);
    this.takeTerm(commit, at, realm, report);
  }

  private compare({ tenant, was, of, at, commit }: Grown, report: Report): void {
    const now = of.charges.ofTenant(tenant);
    const most = of.ceilings && (of.ceilings.get(tenant) ?? none());
    const name = firstBeyond(now, was);
    if (most === undefined || name === undefined) return;
    const beyond = firstBeyond(now, most);
    if (beyond === undefined) return;
    const key = commit.changes.find(({ after }) => after?.kind === "Replica")?.key;
    report(
      "INV222",
      `${at.name} charges ${tenant} ${now[beyond]} ${beyond} by ${commit.command}, and had ${most[beyond]} when its term ended.`,
      key,
    );
  }

  private takeTerm(commit: Commit, at: EstateTruth, realm: Realm, report: Report): void {
    const of = this.of(at);
    for (const { before, after } of commit.changes) {
      if (after?.kind !== "Plane" || after.status.role !== "regional") continue;
      const { term, ended } = after.status;
      const was =
        before?.kind === "Plane" && before.status.role === "regional" ? before.status : undefined;
      // Rights fall to what is charged now: what is lost later may be replaced up to here.
      if (ended === true && was?.ended !== true) of.ceilings = of.charges.copy();
      if (term === undefined || term === was?.term || term.epoch !== commit.epoch) continue;
      if (JSON.stringify(term) === JSON.stringify(was?.term)) continue;
      const askedMs = of.asked.get(`${term.epoch} ${term.askedMs}`);
      if (askedMs === undefined) {
        report(
          "INV222",
          `${at.name} obeys a term that its leadership ${term.epoch} never asked for.`,
        );
        continue;
      }
      const { termMs = 0 } = realm.regions.find(({ name }) => name === at.name) ?? {};
      if (term.untilMs > term.askedMs + termMs) {
        const beyondMs = term.untilMs - term.askedMs - termMs;
        report(
          "INV222",
          `${at.name} counts its term ${beyondMs} ms longer than from when it asked.`,
        );
      }
      const lastsMs = Math.ceil((termMs * SLOWEST_PER_THOUSAND) / 1_000);
      of.untilMs = Math.max(of.untilMs, askedMs + lastsMs);
      if (at.truth.nowMs > of.untilMs + APPEND_MS) {
        report("INV222", `${at.name} takes over a term that is over.`);
      }
      if (at.truth.nowMs <= of.untilMs) of.ceilings = undefined;
    }
  }

  private of(at: EstateTruth): Watched {
    let watched = this.watched.get(at.name);
    if (watched === undefined) {
      const charges = new Charges();
      watched = { charges, epoch: 0, asked: new Map(), untilMs: 0, ceilings: undefined };
      this.watched.set(at.name, watched);
    }
    return watched;
  }
}

interface Grown {
  readonly tenant: string;
  readonly was: Amounts;
  readonly of: Watched;
  readonly at: EstateTruth;
  readonly commit: Commit;
}
