/** The fleet that a world comes to: everything is placed, the timeline is over, nothing fails. */
import type { Fleet } from "../fleet/fleet.ts";
import { allOf } from "../fleet/fleet.ts";
import type { Checker, Truth } from "../sim/check/checker.ts";
import { Engine } from "../sim/engine.ts";
import type { World } from "../sim/world/world.ts";

/** Any would do: without faults a seed moves latencies only. */
const SEED = 1;

export function fleetOfWorld(world: World): Fleet {
  let fleet: readonly Fleet["objects"][number][] = [];
  const eye: Checker = {
    name: "eye",
    atEnd: ({ objects }: Truth) => {
      fleet = allOf(objects);
    },
  };
  const { losses: _, attacks: __, people: ___, ...calm } = world;
  const last = Math.max(0, ...world.timeline.map(({ atMs }) => atMs));
  const options = {
    world: { ...calm, faultsUntilMs: last + 1_000, controllersShareView: true },
    seed: SEED,
    faults: { explicit: [], rates: {} },
  };
  new Engine(options, [eye]).run();
  return { source: `world ${world.name}`, objects: fleet };
}
