/**
 * What marks leave behind, for `unfinished.ts`: bindings that are still provisional once their
 * region is back.
 */
import type { Truth } from "../checker.ts";
import { isHolding } from "../models/holding.ts";
import { confirmMsAt, marksOf, nodeOf } from "../models/naive-partitioned.ts";
import type { Unfinished } from "./unfinished-work.ts";

/**
 * Longer than any confirmation that a drawn world waits for; what has more time outlives the run.
 */
const WAITED_FOR_MS = 120_000;

export function* provisionalLeft(truth: Truth, stallMs: number): Iterable<Unfinished> {
  const { objects } = truth;
  for (const replica of objects.all("Replica").values()) {
    const { provisional, incarnation, stopping } = replica.status;
    if (provisional === undefined || !isHolding(replica)) continue;
    const node = nodeOf(objects, replica);
    const region = node?.spec.region;
    const isSilent = node === undefined || !truth.isNodeUp(node.meta.name);
    const withinMs = confirmMsAt(objects, region);
    if (marksOf(objects, region).length > 0 || (isSilent && withinMs > WAITED_FOR_MS)) continue;
    const { key } = replica;
    yield {
      rule: "LIV66",
      key,
      stuckAs: `provisional in incarnation ${incarnation}${stopping === undefined ? "" : ", stopping"}`,
      patienceMs: stallMs + (isSilent ? withinMs : 0),
      message: `${key} is provisional, and ${region ?? "its region"} is back.`,
    };
  }
}
