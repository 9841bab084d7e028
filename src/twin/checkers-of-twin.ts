/**
 * The invariants that are checked in a twin. Demands on a world that has healed are left out: the
 * twin ends when it was watched for long enough, at rest or not. Of a large fleet only those are
 * checked whose cost depends on what changes; the others look at all objects again and again.
 */
import type { Fleet } from "../fleet/fleet.ts";
import { createCheckers } from "../sim/check/all-checkers.ts";
import type { Checker } from "../sim/check/checker.ts";
import type { World } from "../sim/world/world.ts";

/** Nodes and replicas; with more of them the checkers would cost most of the run. */
export const CHECKED_WHOLE = 1_000;

const OF_A_HEALED_WORLD: ReadonlySet<string> = new Set(["progress", "honest-waits", "waits"]);

const OF_LARGE_FLEETS: ReadonlySet<string> = new Set([
  "execution",
  "log",
  "durability",
  "bindings",
  "capacity",
  "stages",
]);

export function checkersOfTwin({ objects }: Fleet): (world: World) => readonly Checker[] {
  const size = objects.filter(({ kind }) => kind === "Node" || kind === "Replica").length;
  const isChecked = (name: string): boolean =>
    size > CHECKED_WHOLE ? OF_LARGE_FLEETS.has(name) : !OF_A_HEALED_WORLD.has(name);
  return (world) => createCheckers(world).filter(({ name }) => isChecked(name));
}
