/**
 * What a drain would do, without doing any of it: who leaves at once, who waits until its workload
 * can spare it, and where each would go. It asks the scheduler's own finder on a copy of the
 * objects without the node and its replicas, one after the other; what really becomes of them is
 * decided when they are placed.
 */
import { eviction } from "../correct/drain-node.ts";
import { assert } from "../model/assert.ts";
import { KINDS, nodeKey, type ObjectKey } from "../model/ids.ts";
import type { AnyObject, Replica } from "../model/objects.ts";
import { workloadOf } from "../model/workload-of.ts";
import { ObjectIndex } from "../observe/object-index.ts";
import { View } from "../observe/view.ts";
import { heldByOverride } from "../rules/override/held-by-override.ts";
import { overridesInForce } from "../rules/override/overrides-in-force.ts";
import { whoMayLeave } from "../rules/who-may-leave.ts";
import { type Found, NodeFinder } from "../propose/fleet/node-finder.ts";
import { IN_TURN } from "../propose/fleet/placement-mode.ts";
import { whyNowhere, type WhyNowhere } from "../propose/place/why-nowhere.ts";
import { unbound } from "./unbound.ts";

export interface PlannedMove {
  readonly replica: ObjectKey;
  readonly workload: ObjectKey;
  /** "waits": its workload cannot spare it at this moment. */
  readonly when: "stopping" | "now" | "waits";
  /** Left out: no node would take it, or it was not computed. */
  readonly to?: string;
  /** Which rules turned away how many nodes, when none would take it. */
  readonly rejected?: WhyNowhere["rejected"];
}

/**
 * A copy of more objects than this would take a second and some hundred megabytes; then the target
 * nodes are not computed.
 */
const COPIED_OBJECTS = 250_000;

/** Folded in one step: some milliseconds. */
const OBJECTS_PER_STEP = 1_000;

/** Between two steps `objects` may change: the plan is made on what was there at the first. */
export function* planDrain(
  objects: ObjectIndex,
  node: string,
): Generator<undefined, readonly PlannedMove[], undefined> {
  const { stopping, leave, stay } = whoMayLeave(objects, node);
  const overrides = overridesInForce(objects);
  const isHeld = (replica: Replica): boolean =>
    heldByOverride(objects, eviction(replica, node, "drain"), overrides) !== undefined;
  const moves = [
    ...stopping.map((replica) => ({ replica, when: "stopping" as const })),
    ...leave.map((replica) => ({ replica, when: isHeld(replica) ? "waits" : "now" }) as const),
    ...stay.map((replica) => ({ replica, when: "waits" as const })),
  ].map(({ replica, when }) => ({ replica: replica.key, workload: workloadOf(replica), when }));
  if (objects.size > COPIED_OBJECTS) return moves;
  const copy = new ObjectIndex();
  for (const [at, after] of [...without(objects, node)].entries()) {
    if (at > 0 && at % OBJECTS_PER_STEP === 0) yield;
    copy.fold({ key: after.key, before: undefined, after });
  }
  const placeOf = placesOn(copy);
  const planned: PlannedMove[] = [];
  for (const move of moves) {
    yield;
    planned.push({ ...move, ...placeOf(move.replica) });
  }
  return planned;
}

type Place = Pick<PlannedMove, "to" | "rejected">;

/** Finds a place for one after the other, each as if those before it were there already. */
function placesOn(objects: ObjectIndex): (key: ObjectKey) => Place {
  const view = new View({ kinds: new Set(KINDS), node: undefined });
  view.lookInto({ objects, leaps: 0 });
  const finder = new NodeFinder(view);
  return (key) => {
    const replica = objects.replica(key);
    assert(replica !== undefined, `${key} is not in the copy that it was planned on.`);
    const found: Found | undefined = finder.find(replica);
    if (found === undefined)
      return { rejected: whyNowhere(replica, { finder, view, mode: IN_TURN }).rejected };
    finder.assume(replica, found, 0);
    return { to: found.node };
  };
}

function* without(objects: ObjectIndex, name: string): Iterable<AnyObject> {
  const key = nodeKey(name);
  for (const kind of KINDS) {
    for (const object of objects.all(kind).values()) {
      if (object.key === key) continue;
      if (object.kind === "Replica" && object.status.node === name) yield unbound(object);
      else yield object;
    }
  }
}
