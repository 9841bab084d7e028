/**
 * The probes of one process that have failed in a row, and when its agent reports them (EV10). A
 * probe fails twice a second while a process starts, so only some of them may become a commit: the
 * first after a while, later ones when they found something else, and seldom when they did not.
 */
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";
import type { ReplicaStatus } from "../model/objects.ts";
import { sentence } from "../model/text/sentence.ts";
import type { IntentOf } from "../protocol/command.ts";

const FIRST_MS = LOAD_LIMITS.probeFirstMs.value;
const CHANGED_MS = LOAD_LIMITS.probeChangedMs.value;
const AGAIN_MS = LOAD_LIMITS.probeAgainMs.value;

export interface FailedProbes {
  /** Of the last one; undefined of a driver that has no words for it. */
  said: string | undefined;
  times: number;
  /** When the first one failed, on the agent's clock. */
  readonly sinceMs: number;
  /** When the view first showed the last report, on the agent's clock; without one: `sinceMs`. */
  shownMs: number;
  /** The time of that report on the authority's clock, which tells reports apart. */
  shown: number | undefined;
  /** When the agent last asked for a report; every failed probe comes by here. */
  askedMs: number;
}

export function afterFailure(
  before: FailedProbes | undefined,
  said: string | undefined,
  nowMs: number,
): FailedProbes {
  const row = before ?? firstRow(nowMs);
  return { ...row, said: sentence(said), times: row.times + 1 };
}

const firstRow = (nowMs: number): Omit<FailedProbes, "said"> => ({
  times: 0,
  sinceMs: nowMs,
  shownMs: nowMs,
  shown: undefined,
  askedMs: Number.NEGATIVE_INFINITY,
});

/**
 * The report that is due for a starting replica; undefined while it is too soon. Time is counted
 * from when the view showed the last report: a report that was long under way is not followed by
 * the next at once.
 */
export function dueReport(
  row: FailedProbes | undefined,
  { failingProbe: known, stage }: ReplicaStatus,
  nowMs: number,
): IntentOf<"report">["probe"] {
  if (row?.said === undefined || stage !== "starting") return undefined;
  if (known !== undefined && known.toldMs !== row.shown) {
    row.shown = known.toldMs;
    row.shownMs = nowMs;
  }
  const { said, times, sinceMs } = row;
  // A plane that does not answer is not asked again with every probe.
  const isTooSoon =
    nowMs - row.shownMs < pauseAfter(known, said) || nowMs - row.askedMs < CHANGED_MS;
  if (isTooSoon) return undefined;
  row.askedMs = nowMs;
  return { said, times, forMs: nowMs - sinceMs };
}

function pauseAfter(known: ReplicaStatus["failingProbe"], said: string): number {
  if (known === undefined) return FIRST_MS;
  return known.said === said ? AGAIN_MS : CHANGED_MS;
}

/** For the report of a process that was ready and is not any more (EV9). */
export function lapse(
  stage: IntentOf<"report">["stage"],
  row: FailedProbes | undefined,
  nowMs: number,
): Pick<IntentOf<"report">, "reason" | "probe"> {
  if (stage !== "starting" || row === undefined) return {};
  const { said = "The probe failed and gave no reason.", times, sinceMs } = row;
  return { reason: said, probe: { said, times, forMs: nowMs - sinceMs } };
}
