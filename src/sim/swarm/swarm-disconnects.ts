/** Draws how long a workload waits for a node that fell silent, and who stays when it is back. */
import { RECONCILES } from "../../core/model/disconnect.ts";
import type { Template, WorkloadSpec } from "../../core/model/objects.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";

export function drawDisconnect(
  random: KeyedRandom,
  at: number,
  of: { readonly type: WorkloadSpec["type"]; readonly isGang: boolean },
): Pick<Template, "onDisconnect" | "replaceAfterMs" | "reconcile"> {
  const onDisconnect = random.chance("workload keeps", at, 30) ? "keep" : "stop";
  const mayBeReplaced = onDisconnect === "stop" || (of.type === "service" && !of.isGang);
  if (
    !mayBeReplaced ||
    !random.chance("workload replaced", at, onDisconnect === "keep" ? 70 : 25)
  ) {
    return { onDisconnect };
  }
  // From less than fencing takes to half of the time in which there are faults.
  const replaceAfterMs = random.between("replace after", at, 1, 30) * 1_000;
  const reconcile = RECONCILES[random.draw("reconcile", at) % RECONCILES.length];
  return {
    onDisconnect,
    replaceAfterMs,
    ...(reconcile === undefined || onDisconnect === "stop" ? {} : { reconcile }),
  };
}
