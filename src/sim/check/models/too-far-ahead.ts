/** Whether a replica stands where the spread in force would not put one of its kind any more. */
import type { Node, Replica } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { openNodes } from "./naive-fit.ts";
import { areSiblings, everyPlaced, placeOf } from "./naive-neighbours.ts";
import { naiveSpread } from "./naive-policy.ts";

/**
 * Whether its place has more of its kind than the spread in force lets it have over another that is
 * open to it.
 */
export function isTooFarAhead(objects: ObjectIndex, replica: Replica, node: Node): boolean {
  if (replica.spec.template.spread.length > 0) return false;
  const there = everyPlaced(objects)
    .filter((other) => areSiblings(other.replica, replica))
    .filter((other) => other.replica.status.stopping === undefined)
    .map((other) => other.node);
  const rules = naiveSpread(objects, replica.spec.template).filter(({ soft }) => soft !== true);
  return rules.some(({ by, maxSkew }) => {
    const count = (at: Node): number =>
      there.filter((other) => placeOf(other, by) === placeOf(at, by)).length;
    const others = openNodes(objects, replica).filter((at) => placeOf(at, by) !== undefined);
    return others.some((other) => count(node) - count(other) > maxSkew);
  });
}
