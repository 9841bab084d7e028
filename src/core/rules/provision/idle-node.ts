/**
 * Whether a node of a pool is of no use to anybody: nothing is bound to it, no room of it is held
 * or kept, and no queued replica fits there (PN6). How long that has been so is the authority's to
 * say.
 */
import { countText } from "../../model/text/count-text.ts";
import type { Node, Override } from "../../model/objects.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { FitTrial } from "./fit-trial.ts";
import { waitingWork } from "./waiting-work.ts";

/** What is there, or is to come for sure; undefined: nothing. */
export function whyNotEmpty(objects: ObjectIndex, { meta }: Node): string | undefined {
  const there = objects.replicasOn(meta.name).size;
  if (there > 0) return countText(there, "replica");
  const held = objects.useOf(meta.name).held.size;
  return held > 0 ? `room reserved for ${held}` : undefined;
}

/** A queued replica that fits there, if any. It checks every waiting replica, so it comes last. */
export function whyWanted(
  objects: ObjectIndex,
  node: Node,
  overrides: readonly Override[],
): string | undefined {
  const trial = new FitTrial(objects, overrides);
  const { work } = waitingWork(objects, () => true);
  const taker = work.find(({ first }) => trial.misfit(node, first) === undefined);
  return taker && `${taker.workload.key} fits there`;
}
