/**
 * The demands on a gang in a healed world: it is placed if there is room and quota for all of it.
 * Until then it releases its quota in time, and the component that admits it owes it another look.
 */
import type { Workload } from "../../../core/model/objects.ts";
import type { Truth } from "../checker.ts";
import { isFinished, jobOver, jobPicture } from "../models/naive-jobs.ts";
import { gangFits, isThere, membersOf } from "../models/naive-gangs.ts";
import type { Unfinished } from "./unfinished-work.ts";

/** As in `unfinished.ts`: the time to make up for a lost wake-up. */
const STALL_MS = 120_000;

/** After a gang has released its quota, it stays away for half a minute. */
const BACKOFF_MS = 30_000;

/**
 * A job that is over, or only has to be marked so, runs nothing any more; a changing one runs
 * nothing yet.
 */
function isPast(workload: Workload, truth: Truth): boolean {
  const picture = jobPicture(truth.objects, workload);
  if (picture === undefined) return false;
  const isOver = isFinished(workload) || jobOver(picture) !== undefined;
  return isOver || picture.oldLive.length > 0;
}

export function gangNotDone(workload: Workload, truth: Truth): Unfinished | undefined {
  const { key, spec } = workload;
  if (spec.gang === undefined || isPast(workload, truth)) return undefined;
  const lacking = membersOf(truth.objects, workload).filter((member) => !isThere(member));
  if (lacking.length === 0) return undefined;
  if (gangFits(truth.objects, workload)) {
    const message = `${key} lacks ${lacking.length} members, though there is room for all of them.`;
    const patienceMs = STALL_MS + BACKOFF_MS;
    return { rule: "LIV6", key, stuckAs: "fits", patienceMs, message };
  }
  const holding = lacking.filter(({ replica }) => replica?.status.stage === "queued");
  if (holding.length > 0) {
    const incarnations = holding
      .map(({ index, replica }) => `${index}.${replica?.status.incarnation}`)
      .join(" ");
    const message = `${key} still holds quota for ${holding.length} members without a node.`;
    // INV50 reports this sooner; here it keeps the run going until the quota is released.
    const patienceMs = spec.gang.deadlineMs + 2 * STALL_MS;
    return { rule: "LIV6", key, stuckAs: `holds ${incarnations}`, patienceMs, message };
  }
  for (const { name, owed } of truth.clients()) {
    if (name === "admit" && owed.some((entry) => entry.key === key)) return undefined;
  }
  const message = `${key} lacks ${lacking.length} members, and no controller owes it another look.`;
  return { rule: "LIV2", key, stuckAs: "unowed", patienceMs: STALL_MS, message };
}
