/** A fleet some time later, when its own controllers have done what its objects ask for. */
import { allOf, type Fleet } from "../fleet/fleet.ts";
import type { Checker, Truth } from "../sim/check/checker.ts";
import { BegunStaging } from "../sim/begun/begun-staging.ts";
import { Engine } from "../sim/engine.ts";
import { completeFleet } from "./complete-fleet.ts";
import { worldOf } from "./run-twin.ts";

/** Rollouts of small services and the placement of thousands of replicas are over by then. */
const SETTLES_MS = 180_000;

export function settleFleet(fleet: Fleet): Fleet {
  const { objects, atMs } = completeFleet(fleet);
  let settled: Fleet["objects"] = [];
  const eye: Checker = {
    name: "eye",
    atEnd: (truth: Truth) => {
      settled = allOf(truth.objects);
    },
  };
  const staging = new BegunStaging({
    clocksFromMs: atMs,
    objects,
    untilMs: SETTLES_MS,
    play: () => {},
  });
  const world = worldOf({ events: [], watchMs: SETTLES_MS, hasFaults: false }, SETTLES_MS);
  // Without faults a seed moves latencies only.
  const options = { world, seed: 1, faults: { explicit: [], rates: {} } };
  new Engine(options, [eye], undefined, staging).run();
  return { source: fleet.source, objects: settled };
}
