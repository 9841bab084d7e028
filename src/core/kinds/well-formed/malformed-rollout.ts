/** What the rules of rollouts rely on (OB5). */
import type { WorkloadSpec } from "../../model/objects.ts";
import { isPercentage, percentsOf } from "../../model/text/percentage.ts";
import {
  ROLLOUT_DEADLINE_MAX_MS,
  ROLLOUT_STEPS_MAX,
  type RolloutBound,
  rollsOut,
} from "../../model/rollout.ts";
import type { Rejection } from "../../protocol/rejection.ts";
import { type Bad, isCount } from "./malformed-amounts.ts";

export function malformedRollout(spec: WorkloadSpec, bad: Bad): Rejection | undefined {
  const { rollout } = spec;
  if (rollout === undefined) return undefined;
  if (!rollsOut(spec)) return bad("spec.rollout", "only of a service that is no gang", "given");
  const { maxSurge, maxUnavailable, deadlineMs, steps = [] } = rollout;
  for (const [field, bound] of Object.entries({ maxSurge, maxUnavailable })) {
    if (!(typeof bound === "number" ? isCount(bound) : isPercentage(bound))) {
      return bad(`spec.rollout.${field}`, "a whole number, 0 or more, or a percentage", bound);
    }
  }
  if (isPercentage(maxUnavailable) && percentsOf(maxUnavailable) > 100) {
    return bad("spec.rollout.maxUnavailable", "at most 100%", maxUnavailable);
  }
  // With neither, nothing may be begun before something ended, and the other way round.
  if (isNothing(maxSurge) && isNothing(maxUnavailable)) {
    return bad("spec.rollout.maxSurge", "1 or more when maxUnavailable is 0", maxSurge);
  }
  const isDeadline = isCount(deadlineMs) && deadlineMs >= 1;
  if (!isDeadline || deadlineMs > ROLLOUT_DEADLINE_MAX_MS) {
    return bad("spec.rollout.deadlineMs", `1 to ${ROLLOUT_DEADLINE_MAX_MS}`, deadlineMs);
  }
  if (steps.length > ROLLOUT_STEPS_MAX) {
    return bad("spec.rollout.steps", `at most ${ROLLOUT_STEPS_MAX}`, steps.length);
  }
  let last = 0;
  for (const { replicas, pauseMs } of steps) {
    if (!isCount(replicas) || replicas <= last) {
      return bad("spec.rollout.steps.replicas", `more than ${last}`, replicas);
    }
    last = replicas;
    if (pauseMs !== undefined && (!isCount(pauseMs) || pauseMs > ROLLOUT_DEADLINE_MAX_MS)) {
      return bad("spec.rollout.steps.pauseMs", `0 to ${ROLLOUT_DEADLINE_MAX_MS}`, pauseMs);
    }
  }
  return undefined;
}

const isNothing = (bound: RolloutBound): boolean =>
  typeof bound === "number" ? bound === 0 : percentsOf(bound) === 0;
