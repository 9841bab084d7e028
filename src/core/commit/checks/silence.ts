/**
 * How long a node has been silent, by the authority's own clock, and whether that is enough to take
 * its processes for dead. Times written by an earlier leadership are on another clock, so a new
 * leadership counts from its own beginning and every node gets its full time again (EV3). So does
 * one that stood still (LB7).
 */
import type { Lease, Node } from "../../model/objects.ts";
import {
  FENCE_AFTER_MS,
  JUST_BACK_MS,
  PLANE_HOLD_MS,
  SUSPECT_AFTER_MS,
  SUSPECT_CLOCK_FENCE_MS,
} from "../../model/timing.ts";
import { SilencePicture } from "../../observe/correlated-silence.ts";
import type { Ledger } from "../ledger.ts";
import type { CommitContext } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

export function silenceMs(ledger: Ledger, lease: Lease, nowMs: number): number {
  const sameClock = lease.status.epoch === ledger.epoch;
  const sinceMs = sameClock ? lease.status.renewedMs : ledger.leadSinceMs;
  return nowMs - Math.max(sinceMs, ledger.wokeMs);
}

export function fencingUnsupported(
  context: CommitContext,
  node: Node,
  lease: Lease,
): Rejection | undefined {
  const silentMs = silenceMs(context.ledger, lease, context.nowMs);
  // A lease is as long as the agent's clock says, and this clock was seen to be wrong (CL3).
  const leastMs = node.status.clock === undefined ? FENCE_AFTER_MS : SUSPECT_CLOCK_FENCE_MS;
  if (silentMs < leastMs) return reject("lease-not-over", node.key, leastMs, silentMs);
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

function pictureOf({ ledger, nowMs }: CommitContext): SilencePicture {
  const picture = new SilencePicture();
  for (const lease of ledger.objects.all("Lease").values()) {
    const node = ledger.objects.nodeNamed(lease.spec.node);
    if (node === undefined || node.status.health === "fenced") continue;
    const isSilent = silenceMs(ledger, lease, nowMs) > SUSPECT_AFTER_MS;
    picture.add(node, isSilent || isJustBack(lease, ledger, nowMs));
  }
  return picture;
}

/** What an earlier leadership wrote down is on another clock, and long enough ago. */
function isJustBack({ status }: Lease, { epoch }: Ledger, nowMs: number): boolean {
  const { backMs } = status;
  return status.epoch === epoch && backMs !== undefined && nowMs - backMs <= JUST_BACK_MS;
}
