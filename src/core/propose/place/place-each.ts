/**
 * The find stage: a node for each of some replicas, each found as if the earlier ones were bound
 * already.
 */
import type { Look } from "../../protocol/decision.ts";
import type { Replica } from "../../model/objects.ts";
import type { Found, NodeFinder } from "../fleet/node-finder.ts";
import type { PlacementMode } from "../fleet/placement-mode.ts";

export interface FoundPlace {
  readonly replica: Replica;
  readonly place: Found;
}

export function placeEach(
  replicas: readonly Replica[],
  search: {
    readonly finder: NodeFinder;
    readonly look: Look;
    readonly mode: PlacementMode;
    readonly most?: number;
  },
): readonly FoundPlace[] {
  const { finder, look, mode, most = replicas.length } = search;
  const found: FoundPlace[] = [];
  let generation: number | undefined;
  let isFull = false;
  for (const replica of replicas) {
    if (found.length === most) break;
    // One commit, one template: what another generation asks for is found at the next look.
    generation ??= replica.spec.generation;
    if (replica.spec.generation !== generation) break;
    // One with reserved room may find a node when the others find none.
    if (isFull && finder.roomHeld(replica) === undefined) continue;
    const place = finder.find(replica, mode);
    if (place === undefined) {
      isFull ||= finder.roomHeld(replica) === undefined;
      continue;
    }
    finder.assume(replica, place, look.now);
    found.push({ replica, place });
  }
  return found;
}
