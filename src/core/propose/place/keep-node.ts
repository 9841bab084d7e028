/** The reserve stage: a workload that was passed over for too long has nodes kept for it (QU3). */
import type { ObjectKey } from "../../model/ids.ts";
import type { NodeFinder } from "../fleet/node-finder.ts";
import { dominantShare } from "../queue/fair-order.ts";
import { nodeToKeep } from "../queue/node-to-keep.ts";
import type { PlacementLook } from "./placement-look.ts";
import type { Nowhere } from "./search-outcome.ts";

export function keepNode(at: PlacementLook, nowhere: Nowhere): void {
  const most = mostKept(nowhere);
  if (most === 0 || !("replica" in nowhere)) return;
  const { workload, priority, finder, view, look } = at;
  const { replica } = nowhere;
  const { kept } = finder.heldBack;
  const size = dominantShare(replica.spec.template.ask.amounts, finder.columns.total, 1);
  const claim = { workload, priority, size };
  if (kept.nodesOf(workload).length >= most || !kept.isToBeFound(claim, look.now)) return;
  const node = nodeToKeep(replica, claim, { finder, view, nowMs: look.now });
  kept.searched(workload, look.now, node !== undefined);
  if (node !== undefined) finder.heldBack.keep(node, claim, look.now);
}

/** As many as it may need; none where an empty node is not what it waits for. */
function mostKept(nowhere: Nowhere): number {
  switch (nowhere.kind) {
    case "gang-does-not-fit":
      return nowhere.members - nowhere.fitting;
    case "no-node":
      return nowhere.unpaid === undefined ? 1 : 0;
    case "gang-incomplete":
    case "room-held":
    case "unpaid-ahead":
      return 0;
  }
}

/** Some of it are placed, or none waits: it is passed over no more, and no node is kept for it. */
export function unkeepNodes(workload: ObjectKey, { heldBack }: NodeFinder): void {
  heldBack.release(workload);
  heldBack.kept.forget(workload);
}
