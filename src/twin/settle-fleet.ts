/** A fleet some time later, when its own controllers have done what its objects ask for. */
import { allOf, type Fleet } from "../fleet/fleet.ts";
import { playTwin } from "./play-twin.ts";

/** Rollouts of small services and the placement of thousands of replicas are over by then. */
const SETTLES_MS = 180_000;

export function settleFleet(fleet: Fleet): Fleet {
  const scenario = { events: [], watchMs: SETTLES_MS, hasFaults: false };
  // Without faults a seed moves latencies only.
  const { objects } = playTwin({ fleet, scenario, seed: 1, agentsRest: true });
  return { source: fleet.source, objects: allOf(objects) };
}
