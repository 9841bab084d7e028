/**
 * A restored region knows again what its agents run: each of its nodes has listed its replicas
 * under this leadership or is fenced, and what ran on nodes that its log does not know is over
 * (RG13).
 */
import { leaseKey, PLANE_KEY } from "../../model/ids.ts";
import type { RegionalPlane } from "../../model/regional/plane.ts";
import { FENCE_AFTER_MS } from "../../model/timing.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { longestGraceMs } from "../../rules/longest-grace.ts";
import { fallenRights } from "../checks/fallen-rights.ts";
import { planeChange, regionalPlane } from "../checks/plane-object.ts";
import type { CommitContext, Verdict } from "../verdict.ts";

export function checkEndLearning(
  context: CommitContext,
  intent: IntentOf<"end-learning">,
): Verdict {
  if (context.role !== "end-learning") {
    return reject("not-owner", PLANE_KEY, "end-learning", context.role);
  }
  const plane = regionalPlane(context);
  if ("code" in plane) return plane;
  const { learning, ...learnt } = plane;
  if (learning === undefined || plane.incarnation !== intent.incarnation) {
    const expected = learning === undefined ? "learning" : plane.incarnation;
    return reject("still-learning", PLANE_KEY, expected, intent.incarnation);
  }
  // Charges of the backup that do not run are no right: it may be lent elsewhere by now.
  return unheard(context, learning) ?? [planeChange(context, learnt), ...fallenRights(context)];
}

function unheard(
  { ledger, nowMs }: CommitContext,
  { epoch, sinceMs }: NonNullable<RegionalPlane["learning"]>,
): Rejection | undefined {
  const { objects } = ledger;
  // Another leadership has another clock, and has not heard what was said to the one before.
  const beganMs = epoch === ledger.epoch ? sinceMs : ledger.leadSinceMs;
  const grace = longestGraceMs([...objects.all("Replica").values()]);
  const leftMs = beganMs + FENCE_AFTER_MS + grace - nowMs;
  if (leftMs > 0) return reject("still-learning", PLANE_KEY, "its time", `${leftMs} ms left`);
  for (const { key, meta, status } of objects.all("Node").values()) {
    if (status.health === "fenced") continue;
    const lease = objects.lease(leaseKey(meta.name));
    // One without a lease holds nothing here, and a lease that was forgotten is over by now.
    if (lease !== undefined && lease.status.listedIn !== ledger.epoch) {
      return reject("still-learning", key, "a list of its replicas", "none under this leadership");
    }
  }
  return undefined;
}
