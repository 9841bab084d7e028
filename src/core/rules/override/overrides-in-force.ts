/**
 * Which overrides count. The authority asks with its own clock. Controllers have none that could be
 * compared with it (CL1): to them an override counts for as long as it is in their view, and its
 * removal is what tells them.
 */
import { isInForce } from "../../model/override.ts";
import type { Override } from "../../model/objects.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";

const NONE: readonly Override[] = [];

/** Earlier than any end. */
const BEFORE_ALL = Number.NEGATIVE_INFINITY;

/**
 * In the order of their names: of several that hold the same back, all components name the same
 * one.
 */
export function overridesInForce(
  objects: ObjectIndex,
  nowMs: number = BEFORE_ALL,
): readonly Override[] {
  const all = objects.all("Override");
  // Asked at every commit and every look; nearly always there is none.
  if (all.size === 0) return NONE;
  return [...all.values()]
    .filter((override) => isInForce(override, nowMs))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
