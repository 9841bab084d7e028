/**
 * What a commit says of a workload's recovery: that something was lost, that it is late, that it is
 * back.
 */
import type { Workload } from "../../core/model/objects.ts";
import { RECOVERY_STAGES, type Recovering, type SpentMs } from "../../core/model/recovery.ts";
import { formatDuration } from "../../quantity/duration.ts";
import { type Fact, normal, warning } from "./fact.ts";

export function recoveryFacts(before: Workload, after: Workload): readonly Fact[] {
  const was = before.status.recovery;
  const is = after.status.recovery;
  if (is === undefined || was === is) return [];
  const within = formatDuration(after.spec.recovery?.withinMs ?? 0);
  const { under, last } = is;
  if (under !== undefined && was?.under === undefined) {
    const isOne = under.lost === 1;
    const message = `${lostText(under.lost)}; ${isOne ? "it is" : "they are"} to be back within ${within}.`;
    return [warning("RecoveryBegan", message)];
  }
  if (under?.missed !== undefined && was?.under?.missed === undefined) {
    const message = `Not recovered within ${within}; most of the time was spent in ${under.missed}: ${spentText(under.spentMs)}.`;
    return [...inTurn(was?.under, under), warning("RecoveryMissed", message)];
  }
  if (under !== undefined) return inTurn(was?.under, under);
  // By value: an object read back from the store is never the same one.
  if (last === undefined || last.beganMs === was?.last?.beganMs) return [];
  const back = `${last.lost === 1 ? "is" : "are"} back after ${formatDuration(last.tookMs)}`;
  const took = `${lostText(last.lost)} and ${back}`;
  const spent = spentText(last.spentMs);
  // There may have been no look between its deadline and its end.
  if (last.missed !== undefined && was?.under?.missed === undefined) {
    const message = `${took}, more than ${within}; most of the time was spent in ${last.missed}: ${spent}.`;
    return [warning("RecoveryMissed", message)];
  }
  return [normal("Recovered", `${took}: ${spent}.`)];
}

/**
 * Where recoveries are budgeted, those who wait beside it are passed over for a bounded time (BU8).
 */
function inTurn(was: Recovering | undefined, is: Recovering): readonly Fact[] {
  if (is.inTurn === undefined || was?.inTurn !== undefined) return [];
  const message = "Its fairness window is over: from now on it queues in the normal order.";
  return [warning("RecoveryInTurn", message)];
}

const lostText = (count: number): string =>
  count === 1 ? "1 replica was lost" : `${count} replicas were lost`;

/** e.g. "lost 105s, queued 20ms" */
function spentText(spentMs: SpentMs): string {
  const parts = RECOVERY_STAGES.flatMap((stage) => {
    const ms = spentMs[stage];
    return ms === undefined ? [] : [`${stage} ${formatDuration(ms)}`];
  });
  return parts.join(", ");
}
