/**
 * How long a node has been silent, by the authority's own clock, and whether that is enough to take its
 * processes for dead. Times written by an earlier leadership are on another clock, so a new leadership
 * counts from its own beginning and every node gets its full time again (EV3).
 */
import { leaseKey, nodeKey } from "../../model/ids.ts";
import type { Lease, Node } from "../../model/objects.ts";
import { CORRELATED_HOLD_MS, FENCE_AFTER_MS, SUSPECT_AFTER_MS } from "../../model/timing.ts";
import { isCorrelated } from "../../observe/correlated-silence.ts";
import type { Ledger } from "../ledger.ts";
import { type Bench, no, type No } from "../verdict.ts";

export function silenceMs(ledger: Ledger, lease: Lease, nowMs: number): number {
  const sameClock = lease.status.epoch === ledger.epoch;
  const sinceMs = sameClock ? lease.status.renewedMs : ledger.leadSinceMs;
  return nowMs - sinceMs;
}

export function fencingUnsupported(bench: Bench, node: Node, lease: Lease): No | undefined {
  const silentMs = silenceMs(bench.ledger, lease, bench.nowMs);
  if (silentMs < FENCE_AFTER_MS) return no("lease-not-over", node.key, FENCE_AFTER_MS, silentMs);
  if (silentMs >= CORRELATED_HOLD_MS) return undefined;
  const region = regionSilence(bench, node.spec.region);
  if (!isCorrelated(region)) return undefined;
  return no(
    "correlated-silence",
    `Region//${node.spec.region}`,
    `silent for ${CORRELATED_HOLD_MS} ms`,
    `${region.silent} of ${region.watched} nodes silent`,
  );
}

function regionSilence(bench: Bench, region: string): { silent: number; watched: number } {
  const { objects } = bench.ledger;
  let silent = 0;
  let watched = 0;
  for (const lease of objects.all("Lease").values()) {
    const node = objects.node(nodeKey(lease.spec.node));
    // A fenced node's loss is already accounted for; it says nothing about what we can see now.
    if (node?.spec.region !== region || node.status.health === "fenced") continue;
    watched += 1;
    const quiet = objects.lease(leaseKey(lease.spec.node));
    if (quiet && silenceMs(bench.ledger, quiet, bench.nowMs) > SUSPECT_AFTER_MS) silent += 1;
  }
  return { silent, watched };
}
