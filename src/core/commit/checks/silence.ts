/**
 * How long a node has been silent, by the authority's own clock, and whether that is enough to take
 * its processes for dead. Times written by an earlier leadership are on another clock, so a new
 * leadership counts from its own beginning and every node gets its full time again (EV3). So does
 * one that stood still (LB7). Only the time for which silence of many at once holds fencing back
 * goes on over a change of leadership, by what was committed of it (EV11).
 */
import { leaseKey } from "../../model/ids.ts";
import type { Lease, Node } from "../../model/objects.ts";
import {
  FENCE_AFTER_MS,
  PLANE_HOLD_MS,
  SILENCE_TOLD_MS,
  SUSPECT_CLOCK_FENCE_MS,
} from "../../model/timing.ts";
import { carriedSilenceMs, committedSilenceMs } from "../../observe/carried-silence.ts";
import type { SilencePicture } from "../../observe/correlated-silence.ts";
import type { LastHeard } from "../../observe/silence-counts.ts";
import type { Ledger } from "../ledger.ts";
import type { CommitContext } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

export const silenceMs = (ledger: Ledger, lease: Lease, nowMs: number): number =>
  nowMs - heardMs(ledger, lease);

function heardMs(ledger: Ledger, lease: Lease): number {
  const sameClock = lease.status.epoch === ledger.epoch;
  const sinceMs = sameClock ? lease.status.renewedMs : ledger.leadSinceMs;
  return Math.max(sinceMs, ledger.wokeMs);
}

export function fencingUnsupported(
  context: CommitContext,
  node: Node,
  lease: Lease,
): Rejection | undefined {
  const ownMs = silenceMs(context.ledger, lease, context.nowMs);
  // A lease is as long as the agent's clock says, and this clock was seen to be wrong (CL3).
  const leastMs = node.status.clock === undefined ? FENCE_AFTER_MS : SUSPECT_CLOCK_FENCE_MS;
  if (ownMs < leastMs) return reject("lease-not-over", node.key, leastMs, ownMs);
  const silentMs = ownMs + carriedSilenceMs(node, lease, context.ledger.epoch);
  if (silentMs >= PLANE_HOLD_MS) return undefined;
  const hold = pictureOf(context).holdOn(node);
  if (hold === undefined || silentMs >= hold.holdMs) return undefined;
  return reject(
    "correlated-silence",
    hold.level === "region" ? `Region//${hold.place}` : `${hold.level} ${hold.place}`,
    `silent for ${hold.holdMs} ms`,
    `${hold.silent} of ${hold.watched} nodes silent`,
  );
}

/** Tells nothing new yet: half of the time between two tellings allows for two clocks. */
export function silenceToldLately(
  { ledger, nowMs }: CommitContext,
  node: Node,
  lease: Lease,
): Rejection | undefined {
  const silentMs = silenceMs(ledger, lease, nowMs) + carriedSilenceMs(node, lease, ledger.epoch);
  const leastMs = committedSilenceMs(node, lease) + SILENCE_TOLD_MS / 2;
  return silentMs < leastMs ? reject("lease-not-over", node.key, leastMs, silentMs) : undefined;
}

function pictureOf({ ledger, nowMs }: CommitContext): SilencePicture {
  return ledger.silence.at(nowMs, (name): LastHeard | undefined => {
    const node = ledger.objects.nodeNamed(name);
    const lease = ledger.objects.lease(leaseKey(name));
    if (node === undefined || lease === undefined) return undefined;
    if (node.status.health === "fenced") return undefined;
    return { node, atMs: heardMs(ledger, lease), backMs: backOf(lease, ledger) };
  });
}

/** What an earlier leadership wrote down is on another clock, and long enough ago. */
const backOf = ({ status }: Lease, { epoch }: Ledger): number | undefined =>
  status.epoch === epoch ? status.backMs : undefined;
