/** Slo: an objective for the control plane itself, which is measured against it. */
import { hasClass, INDICATORS, SLO_WINDOW_MS, type SloSpec, WHOLE } from "../model/slo.ts";
import type { No } from "../protocol/no.ts";
import { type Bad, isCount } from "./well-formed/malformed-amounts.ts";
import { APPLIED_LAST, type WrittenDefinition } from "./kind-definition.ts";

export const sloDefinition: WrittenDefinition<"Slo"> = {
  kind: "Slo",
  plural: "slos",
  shortNames: [],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  isMeasured: true,
  applyStep: APPLIED_LAST,
  malformed: malformedSlo,
};

function malformedSlo(spec: SloSpec, bad: Bad): No | undefined {
  const { indicator, priorityClass, threshold, objective, windowMs } = spec;
  if (!INDICATORS.includes(indicator)) {
    return bad("spec.indicator", INDICATORS.join(" or "), indicator);
  }
  if (priorityClass !== undefined && !hasClass(indicator)) {
    return bad("spec.priorityClass", "none: only binds and waits have a class", priorityClass);
  }
  if (!isCount(threshold)) return bad("spec.threshold", "a whole number, 0 or more", threshold);
  // An objective of everything has no budget, so that nothing could be said of how it is spent.
  if (!isCount(objective) || objective < 1 || objective >= WHOLE) {
    return bad("spec.objective", `a whole number from 1 to ${WHOLE - 1}`, objective);
  }
  const { least, most } = SLO_WINDOW_MS;
  return isCount(windowMs) && windowMs >= least && windowMs <= most
    ? undefined
    : bad("spec.windowMs", `a whole number from ${least} to ${most}`, windowMs);
}
