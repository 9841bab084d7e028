/**
 * The search for replicas that are placed one by one: as many as find a node, the first as good as
 * possible.
 */
import { urgentOf } from "../../observe/recovery-now.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { keptUnpaid } from "../recovery/kept-unpaid.ts";
import { type FoundPlace, placeEach } from "./place-each.ts";
import { BINDS_PER_LOOK, type PlacementLook } from "./placement-look.ts";
import type { Nowhere, SearchOutcome } from "./search-outcome.ts";
import { whyNowhere } from "./why-nowhere.ts";

/** How many runners-up are written down. */
export const ALTERNATIVES = 3;

export function findSingle(at: PlacementLook): SearchOutcome {
  const ranked = at.finder.alternatives(at.first, 1 + ALTERNATIVES, at.mode);
  const places = placeNewest(at);
  const [first] = places;
  return first === undefined ? nowhere(at) : { kind: "found", first, places, ranked };
}

/**
 * If the newest generation does not fit, older ones are tried, so that rollbacks are not blocked
 * (RO9).
 */
function placeNewest(at: PlacementLook): readonly FoundPlace[] {
  const { queued, view } = at;
  const most = mostOf(at);
  for (let tried = at.replicas, first = tried[0]; first !== undefined; first = tried[0]) {
    const found = placeEach(tried, { ...at, most });
    if (found.length > 0) return found;
    tried = queued.first(workloadOf(first), BINDS_PER_LOOK, view, first.spec.generation);
  }
  return [];
}

/**
 * Fewer after each failed round; of a recovery that goes first, no more than was lost (RV8, BU8).
 */
function mostOf({ look, view, desired, mode, finder }: PlacementLook): number {
  const most = Math.max(1, BINDS_PER_LOOK >> (2 * Math.min(look.failures, 8)));
  const urgent = urgentOf(view.objects, desired);
  if (desired === undefined || urgent === 0) return most;
  const goesFirst = mode.mostOfRecovery === "what-was-lost" || !finder.budgets.isBudgeted;
  return goesFirst ? Math.min(most, urgent) : most;
}

function nowhere({ mode, replicas, finder, view }: PlacementLook): Nowhere {
  if (mode.ifNowhere === "take-its-turn") return { kind: "unpaid-ahead" };
  const replica = replicas.find((each) => finder.roomHeld(each) === undefined);
  if (replica === undefined) return { kind: "room-held" };
  const why = whyNowhere(replica, { finder, view, mode });
  return { kind: "no-node", replica, why, unpaid: keptUnpaid(replica, { finder, view, mode }) };
}
