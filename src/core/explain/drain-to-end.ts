/**
 * Whether a drain comes to its end: replicas leave as their workloads can spare them, find a place
 * elsewhere and serve again, until none is left on the node or none may leave any more.
 */
import { eviction } from "../correct/drain-node.ts";
import { nodeKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";
import { heldByOverride } from "../rules/override/held-by-override.ts";
import { overridesInForce } from "../rules/override/overrides-in-force.ts";
import { whoMayLeave } from "../rules/who-may-leave.ts";
import type { LossWorld } from "./loss-world.ts";
import { PlaceSearch } from "./place-search.ts";
import { waitingAgain } from "./unbound.ts";

export interface DrainEnd {
  readonly moved: number;
  /** Still on the node when nothing moves any more. */
  readonly stuck: readonly Replica[];
  /** Left the node and found no place. */
  readonly homeless: readonly Replica[];
}

/** Made on the world, to be asked within its `during`. */
export function drainToEnd(
  world: LossWorld,
  name: string,
  mayMove: (replica: Replica) => boolean,
): DrainEnd {
  const { objects } = world;
  const node = objects.nodeNamed(name);
  if (node === undefined) return { moved: 0, stuck: [], homeless: [] };
  world.put(nodeKey(name), { ...node, spec: { ...node.spec, draining: true } });
  const homeless: Replica[] = [];
  const overrides = overridesInForce(objects);
  let moved = 0;
  for (;;) {
    const { stopping, leave } = whoMayLeave(objects, name);
    const going = [...stopping, ...leave].filter(
      (replica) =>
        mayMove(replica) &&
        heldByOverride(objects, eviction(replica, name, "drain"), overrides) === undefined,
    );
    if (going.length === 0) break;
    const search = new PlaceSearch(world, [name], { tellsWhy: false });
    for (const replica of going) {
      const waiting = waitingAgain(replica);
      world.put(replica.key, waiting);
      const found = search.placeOne(waiting);
      if (found === undefined) {
        homeless.push(waiting);
        continue;
      }
      moved += 1;
      // It serves again there after a time, and then the next may go.
      const { node: at, deviceIds } = found;
      const { stage } = replica.status;
      world.put(replica.key, {
        ...waiting,
        status: { ...waiting.status, stage, node: at, deviceIds },
      });
    }
  }
  const stuck = [...objects.replicasOn(name).values()].filter(mayMove);
  return { moved, stuck, homeless };
}
