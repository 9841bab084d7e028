/**
 * Whether the postcondition of an override is met now. Shown to people; nothing is decided by it
 * (OV13).
 */
import { workloadKey } from "../../../core/model/ids.ts";
import type { Override } from "../../../core/model/objects.ts";
import { isAvailable, isWanted } from "../../../core/model/availability.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { Condition } from "./condition.ts";

export const POSTCONDITION = "PostconditionHolds";

export function postconditionOf(
  { spec, status }: Override,
  objects: ObjectIndex,
): Condition | undefined {
  const { postcondition } = spec;
  if (postcondition === undefined) return undefined;
  const { tenant, workload: name, serving: wanted } = postcondition;
  const key = workloadKey(tenant, name);
  const workload = objects.workload(key);
  const serving = [...objects.replicasOf(key).values()].filter(
    (replica) => isAvailable(replica) && isWanted(replica, workload),
  ).length;
  const holds = serving >= wanted;
  return {
    type: POSTCONDITION,
    status: holds ? "True" : "False",
    reason: holds ? "EnoughServe" : "TooFewServe",
    message: `${serving} of ${tenant}/${name} serve; ${wanted} should when it ends.`,
    sinceMs: status.sinceMs,
  };
}
