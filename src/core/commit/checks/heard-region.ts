/** What the global plane counts of a region's times, and whether it may lend. */
import { regionKey } from "../../model/ids.ts";
import type { Region } from "../../model/objects.ts";
import type { RegionHeard } from "../../model/regional/region-plane.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
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
 * A time of what was heard, on the clock of the present leadership. Times of an earlier one are on
 * another clock: what was left when they were written is counted from this one's beginning.
 */
export function onThisClock(
  { ledger }: CommitContext,
  { under, atMs }: RegionHeard,
  untilMs: number,
): number {
  if (under === ledger.epoch) return untilMs;
  return ledger.leadSinceMs + Math.max(0, untilMs - atMs);
}
