/**
 * The global plane takes in what a region states of its own committed words. A report never lowers
 * what the region is taken to hold by more than it has said itself: versions that it does not speak
 * of yet stay counted (RG6), and nothing of a new incarnation counts before the earlier one is over
 * (RG4).
 */
import { regionKey } from "../../model/ids.ts";
import type { Region } from "../../model/objects.ts";
import type { GlobalPlane } from "../../model/regional/plane.ts";
import { type RegionHeard, termAsCounted } from "../../model/regional/region-plane.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { RegionReport } from "../../protocol/region-exchange.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { isCredited } from "../../rules/regional/lending.ts";
import { onThisClock, plannedRegion } from "../checks/heard-region.ts";
import { globalPlane } from "../checks/plane-object.ts";
import { reportedGrants, settledGrants } from "../checks/reported-grants.ts";
import { malformedReport } from "../validate/region-messages.ts";
import { changed, type CommitContext, touched, type Verdict } from "../verdict.ts";

export function checkHear(context: CommitContext, { report }: IntentOf<"hear">): Verdict {
  const key = regionKey(report.region);
  if (context.role !== "region-link") return reject("not-owner", key, "region-link", context.role);
  const own = globalPlane(context);
  if ("code" in own) return own;
  const wrong = malformedReport(report);
  if (wrong !== undefined) return wrong;
  const region = plannedRegion(context, report.region);
  if ("code" in region) return region;
  const { heard } = region.status;
  const unfit = superseded(region, report, own) ?? outOfOrder(region, report);
  if (unfit !== undefined) return unfit;
  const next = heardNext(context, region, { report, own });
  const meta = touched(region.meta, context.next);
  const change = changed(region, { ...region, meta, status: { ...region.status, heard: next } });
  if (!isCredited(next)) return [change];
  const isSame = heard?.incarnation === report.incarnation && isCredited(heard);
  const grants = isSame ? reportedGrants(context, report) : settledGrants(context, report);
  return [change, ...grants];
}

function superseded(
  { key, status: { heard } }: Region,
  { incarnation, global = 0 }: RegionReport,
  own: GlobalPlane,
): Rejection | undefined {
  if (global > own.incarnation) {
    return reject("lender-passed", key, `at most ${own.incarnation}`, global);
  }
  if (heard === undefined || incarnation > heard.incarnation) return undefined;
  const isGone = incarnation === heard.incarnation && heard.gone === true;
  const least = isGone ? heard.incarnation + 1 : heard.incarnation;
  return incarnation < least
    ? reject("region-superseded", key, `incarnation ${least} or later`, incarnation)
    : undefined;
}

/** A log only grows: a position behind one that was stated is a late report, or a restored log. */
function outOfOrder(
  { key, status: { heard } }: Region,
  { incarnation, epoch, revision, from }: RegionReport,
): Rejection | undefined {
  const known = heard?.incarnation === incarnation && isCredited(heard) ? heard : undefined;
  if (known !== undefined && (epoch < known.epoch || revision < known.revision)) {
    const expected = `after ${known.epoch}.${known.revision}`;
    return reject("report-passed", key, expected, `${epoch}.${revision}`);
  }
  const most = known?.revision ?? 0;
  return from > most ? reject("report-gap", key, most, from) : undefined;
}

function heardNext(
  context: CommitContext,
  { spec, status }: Region,
  { report, own }: { readonly report: RegionReport; readonly own: GlobalPlane },
): RegionHeard {
  const { ledger, nowMs } = context;
  const { incarnation, epoch, revision, askedMs, learning, summary } = report;
  const held = status.heard;
  const same = held?.incarnation === incarnation ? held : undefined;
  const asked = { epoch, ms: askedMs };
  const termMs = spec.plane?.termMs ?? 0;
  const untilMs = same === undefined ? 0 : onThisClock(context, same, same.termUntilMs);
  const earlier = earlierOf(context, held, incarnation);
  const isTakenIn =
    (same !== undefined && isCredited(same)) || (!learning && earlier === undefined);
  return {
    incarnation,
    ...(isTakenIn ? { epoch, revision } : { epoch: 0, revision: 0 }),
    atMs: nowMs,
    under: ledger.epoch,
    asked: same !== undefined && isAfter(same.asked, asked) ? same.asked : asked,
    termMs,
    termUntilMs: Math.max(untilMs, nowMs + termAsCounted(termMs)),
    ...settledBy(held, report, isTakenIn ? own : undefined),
    confirmed: report.global,
    learning,
    ...(earlier === undefined ? {} : { earlier }),
    summary,
  };
}

/**
 * One that obeys this incarnation takes nothing of earlier ones any more, and one that never obeyed
 * any was never lent anything.
 */
function settledBy(
  held: RegionHeard | undefined,
  { global }: RegionReport,
  own: GlobalPlane | undefined,
): Pick<RegionHeard, "settledBy"> {
  const isSettled = own !== undefined && (global === undefined || global === own.incarnation);
  const by = isSettled ? own.incarnation : held?.settledBy;
  return by === undefined ? {} : { settledBy: by };
}

const isAfter = (a: RegionHeard["asked"], b: RegionHeard["asked"]): boolean =>
  a.epoch > b.epoch || (a.epoch === b.epoch && a.ms > b.ms);

/** Undefined: no earlier incarnation can spend any more. */
function earlierOf(
  context: CommitContext,
  held: RegionHeard | undefined,
  incarnation: number,
): RegionHeard["earlier"] {
  if (held === undefined || held.gone === true) return undefined;
  const before = held.earlier && {
    incarnation: held.earlier.incarnation,
    untilMs: onThisClock(context, held, held.earlier.untilMs),
  };
  if (held.incarnation === incarnation) return isOver(context, before) ? undefined : before;
  const untilMs = Math.max(before?.untilMs ?? 0, onThisClock(context, held, held.termUntilMs));
  const earlier = { incarnation: held.incarnation, untilMs };
  return isOver(context, earlier) ? undefined : earlier;
}

const isOver = ({ nowMs }: CommitContext, earlier: RegionHeard["earlier"]): boolean =>
  earlier === undefined || nowMs >= earlier.untilMs;
