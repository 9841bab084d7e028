/** What the rules of recovery rely on (OB5, RV1). */
import type { WorkloadSpec } from "../../model/objects.ts";
import { RECOVERY_REPLICAS_MAX, RECOVERY_WITHIN_MAX_MS } from "../../model/recovery.ts";
import { rollsOut } from "../../model/rollout.ts";
import type { Rejection } from "../../protocol/rejection.ts";
import { type Bad, isCount } from "./malformed-amounts.ts";

export function malformedRecovery(spec: WorkloadSpec, bad: Bad): Rejection | undefined {
  const { recovery } = spec;
  if (recovery === undefined) return undefined;
  // A batch has nothing that serves, and a gang comes back whole or not at all: a part of its room
  // is of no use.
  if (!rollsOut(spec)) return bad("spec.recovery", "only of a service that is no gang", "given");
  const { withinMs, replicas, regions } = recovery;
  if (!isCount(withinMs) || withinMs < 1 || withinMs > RECOVERY_WITHIN_MAX_MS) {
    return bad("spec.recovery.withinMs", `1 to ${RECOVERY_WITHIN_MAX_MS}`, withinMs);
  }
  if (!isCount(replicas) || replicas < 1 || replicas > RECOVERY_REPLICAS_MAX) {
    return bad("spec.recovery.replicas", `1 to ${RECOVERY_REPLICAS_MAX}`, replicas);
  }
  if (regions.length === 0 || new Set(regions).size !== regions.length || regions.includes("")) {
    return bad("spec.recovery.in", "regions, each once", regions.join(",") || "none");
  }
  const allowed = spec.template.ask.regions;
  const outside = regions.find((region) => allowed.length > 0 && !allowed.includes(region));
  return outside === undefined
    ? undefined
    : bad("spec.recovery.in", `regions of the placement: ${allowed.join(", ")}`, outside);
}
