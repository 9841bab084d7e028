/**
 * [INV225] What one plane tells another is durable where it comes from, and what a region has said
 * is never followed by what it said before. [INV226] A region takes over only versions that it was
 * lent in this incarnation, each later than the one before.
 *
 * It would break by a report of what is not durable, an answer before its commit, or a message of
 * an earlier incarnation that is taken for news.
 */
import { parseKey } from "../../../core/model/ids.ts";
import type { AnyObject, Grant, Region } from "../../../core/model/objects.ts";
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { RegionReport, RegionTerms } from "../../../core/protocol/region-exchange.ts";
import type { Report } from "../checker.ts";
import { GLOBAL } from "../../regional/regional-world.ts";
import { Lent } from "./lent.ts";
import type { EstateTruth, Realm, RegionalChecker } from "./realm.ts";

export class ExchangeChecker implements RegionalChecker {
  readonly name = "exchange";
  private readonly lent = new Lent();

  restored(at: EstateTruth): void {
    if (at.name === GLOBAL) this.lent.seeAgain(at.truth.objects, at.incarnation);
  }

  reported(sent: RegionReport, at: EstateTruth, _: Realm, report: Report): void {
    const head = at.truth.commits.length;
    if (sent.revision > head) {
      report(
        "INV225",
        `${at.name} reports revision ${sent.revision}, and its log ends at ${head}.`,
      );
    }
  }

  answered(terms: RegionTerms, { global }: Realm, report: Report): void {
    const { objects } = global.truth;
    const heard = regionOf(objects.all("Region").values(), terms.region)?.status.heard;
    const isHeard =
      heard?.incarnation === terms.incarnation &&
      !isBefore(heard, terms.heard) &&
      !(heard.asked.epoch === terms.asked.epoch && heard.asked.ms < terms.asked.ms);
    if (heard?.incarnation !== undefined && heard.incarnation > terms.incarnation) return;
    if (!isHeard) {
      report(
        "INV225",
        `The global plane answers ${terms.region} before it has taken in the report.`,
      );
    }
    for (const { tenant, version, amounts } of terms.grants) {
      const lent = { lender: terms.global, incarnation: terms.incarnation, version, amounts };
      if (this.lent.has(tenant, terms.region, lent)) continue;
      report(
        "INV225",
        `Version ${version} for ${tenant} in ${terms.region} was sent and is not durable.`,
      );
    }
  }

  committed(commit: Commit, at: EstateTruth, _: Realm, report: Report): void {
    if (at.name === GLOBAL) {
      this.lent.see(commit, at.incarnation);
      for (const { before, after } of commit.changes) {
        if (before?.kind === "Region" && after?.kind === "Region") goesOn(before, after, report);
      }
      return;
    }
    for (const { before, after } of commit.changes) {
      this.accepts(before, after, at, report);
      obeysNoEarlier(before, after, at, report);
    }
  }

  private accepts(
    before: AnyObject | undefined,
    after: AnyObject | undefined,
    at: EstateTruth,
    report: Report,
  ): void {
    if (after?.kind !== "Grant" || after.spec.version === 0) return;
    const was = before?.kind === "Grant" ? before.spec : undefined;
    const is = after.spec;
    const isSame = was?.incarnation === is.incarnation;
    if (isSame && was.version === is.version) return;
    const tenant = parseKey(after.key).namespace;
    if (isSame && was.version > is.version) {
      report("INV226", `${at.name} goes back to version ${is.version} for ${tenant}.`, after.key);
    }
    if (is.incarnation === at.incarnation && this.wasLent(after, tenant, at)) return;
    report(
      "INV226",
      `${at.name} takes over version ${is.version} for ${tenant} as incarnation ${is.incarnation}, and was not lent it.`,
      after.key,
    );
  }

  private wasLent({ spec }: Grant, tenant: string, at: EstateTruth): boolean {
    const { status } = at.truth.objects.plane ?? {};
    const { global = 0 } = status?.role === "regional" ? status : {};
    const { incarnation, version, amounts } = spec;
    return this.lent.has(tenant, at.name, { lender: global, incarnation, version, amounts });
  }
}

interface Position {
  readonly epoch: number;
  readonly revision: number;
}

const isBefore = (a: Position, b: Position): boolean =>
  a.epoch < b.epoch || (a.epoch === b.epoch && a.revision < b.revision);

function obeysNoEarlier(
  before: AnyObject | undefined,
  after: AnyObject | undefined,
  { name }: EstateTruth,
  report: Report,
): void {
  if (before?.kind !== "Plane" || after?.kind !== "Plane") return;
  if (before.status.role !== "regional" || after.status.role !== "regional") return;
  const [was = 0, is = 0] = [before.status.global, after.status.global];
  if (is >= was) return;
  report("INV226", `${name} obeys incarnation ${is} of the global plane after incarnation ${was}.`);
}

function goesOn({ status: was }: Region, { status: is, key }: Region, report: Report): void {
  if (was.heard === undefined || is.heard === undefined) return;
  if (is.heard.incarnation < was.heard.incarnation) {
    report("INV225", `${key} goes back to incarnation ${is.heard.incarnation}.`, key);
  }
  if (is.heard.incarnation !== was.heard.incarnation || !isBefore(is.heard, was.heard)) return;
  report("INV225", `${key} goes back to revision ${is.heard.revision} of its log.`, key);
}

function regionOf(regions: Iterable<Region>, name: string): Region | undefined {
  for (const region of regions) if (region.meta.name === name) return region;
  return undefined;
}
