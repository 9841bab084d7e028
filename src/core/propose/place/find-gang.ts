/**
 * The search for a gang: a node for every member in one commit, or nothing is held for any of them.
 */
import type { Workload } from "../../model/objects.ts";
import { gangMembers } from "../../observe/gang-members.ts";
import { IN_TURN } from "../fleet/placement-mode.ts";
import { placeEach } from "./place-each.ts";
import type { PlacementLook } from "./placement-look.ts";
import type { SearchOutcome } from "./search-outcome.ts";
import { whyNowhere } from "./why-nowhere.ts";

export function findGang(gang: Workload, { view, look, finder }: PlacementLook): SearchOutcome {
  const { queued, missing } = gangMembers(gang, view.objects);
  const replica = queued[0];
  // Those of an earlier template are in the queue until they are ended; they get no place any more.
  if (replica === undefined || missing.length > 0) {
    return { kind: "gang-incomplete", missing: missing.length, members: gang.spec.replicas };
  }
  // A gang has no recovery objective (RV1), so it never goes ahead of the queue.
  const mode = { ...IN_TURN, nowMs: look.now };
  const places = placeEach(queued, { finder, look, mode });
  const [first] = places;
  if (first !== undefined && places.length === queued.length) {
    return { kind: "found", first, places };
  }
  // What turned the others away is told with those who fit in their places, whether it passes
  // without them.
  const { rejected } = whyNowhere(replica, { finder, view, mode });
  for (const place of places) finder.forget(place.replica.key);
  const { heldBack } = whyNowhere(replica, { finder, view, mode });
  return {
    kind: "gang-does-not-fit",
    replica,
    fitting: places.length,
    members: queued.length,
    why: { rejected, heldBack },
  };
}
