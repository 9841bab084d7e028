/** What the rules of gangs rely on (OB5). */
import { GANG_DEADLINE_MAX_MS } from "../../model/gang.ts";
import type { WorkloadSpec } from "../../model/objects.ts";
import { INDEXES_PER_COMMAND } from "../../protocol/command.ts";
import type { Rejection } from "../../protocol/rejection.ts";
import type { Bad } from "./malformed-amounts.ts";

export function malformedGang({ gang, replicas }: WorkloadSpec, bad: Bad): Rejection | undefined {
  if (gang === undefined) return undefined;
  // It is bound by one command. Scaled to nothing it is paused, like any other workload.
  if (replicas > INDEXES_PER_COMMAND) {
    return bad("spec.replicas", `at most ${INDEXES_PER_COMMAND} in a gang`, replicas);
  }
  const { deadlineMs } = gang;
  const isGood =
    Number.isSafeInteger(deadlineMs) && deadlineMs >= 1 && deadlineMs <= GANG_DEADLINE_MAX_MS;
  return isGood
    ? undefined
    : bad("spec.gang.deadlineMs", `1 to ${GANG_DEADLINE_MAX_MS}`, deadlineMs);
}
