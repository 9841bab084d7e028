/** What the global plane counts of a region's times, and whether it may lend. */
import { regionKey } from "../../model/ids.ts";
import type { Region } from "../../model/objects.ts";
import type { GlobalPlane } from "../../model/regional/plane.ts";
import type { RegionHeard } from "../../model/regional/region-plane.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { unconfirmedRegion } from "../../rules/regional/lending.ts";
import { type CommitContext, missing } from "../verdict.ts";

/** A region that has a plane of its own. */
export function plannedRegion({ ledger }: CommitContext, name: string): Region | Rejection {
  const region = ledger.objects.all("Region").get(regionKey(name));
  if (region === undefined) return missing(regionKey(name));
  return region.spec.plane === undefined
    ? reject("wrong-plane", region.key, "a region with a plane of its own", "none")
    : region;
}

/**
 * A region that may hold what this plane has forgotten: until it has confirmed this incarnation
 * there is no telling how much of any quota is left (RG9).
 */
export function lenderLearning(objects: ObjectIndex, own: GlobalPlane): Rejection | undefined {
  const region = unconfirmedRegion(objects, own);
  if (region === undefined) return undefined;
  const { confirmed = "none" } = region.status.heard ?? {};
  return reject("lender-learning", region.key, own.incarnation, confirmed);
}

/**
 * A time of what was heard, on the clock of the present leadership. Times of an earlier one are on
 * another clock: the rest of the time, as of when it was written, counts from this one's beginning.
 */
export function onThisClock(
  { ledger }: CommitContext,
  { under, atMs }: RegionHeard,
  untilMs: number,
): number {
  if (under === ledger.epoch) return untilMs;
  return ledger.leadSinceMs + Math.max(0, untilMs - atMs);
}
