/** Whether the region may take new work into its quota now. */
import type { Epoch } from "../../model/ids.ts";
import type { Plane } from "../../model/objects.ts";
import type { GlobalPlane, RegionalPlane } from "../../model/regional/plane.ts";

export const regionalOf = (plane: Plane | undefined): RegionalPlane | undefined =>
  plane?.status.role === "regional" ? plane.status : undefined;

export const globalOf = (plane: Plane | undefined): GlobalPlane | undefined =>
  plane?.status.role === "global" ? plane.status : undefined;

/** Times of another leadership are on another clock: such a term is over until it is renewed. */
export const isTermInForce = (
  { term }: Pick<RegionalPlane, "term">,
  epoch: Epoch,
  nowMs: number,
): boolean => term !== undefined && term.epoch === epoch && nowMs < term.untilMs;

/**
 * Why quota may not be taken; undefined: it may. After a committed end the rights have fallen to
 * the charges, so a replica that fits below them replaces one that was lost here.
 */
export function whyNotSpending(
  plane: RegionalPlane,
  epoch: Epoch,
  nowMs: number,
): "learning" | "over" | undefined {
  if (plane.learning !== undefined) return "learning";
  if (plane.ended === true || isTermInForce(plane, epoch, nowMs)) return undefined;
  return "over";
}
