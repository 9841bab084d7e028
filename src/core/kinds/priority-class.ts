/** PriorityClass: which workloads go first, and which may preempt which. */
import type { PriorityClassSpec } from "../model/objects.ts";
import { HIGHEST_VALUE } from "../model/preemption.ts";
import type { No } from "../protocol/no.ts";
import type { Bad } from "./well-formed/malformed-amounts.ts";
import type { WrittenDefinition } from "./kind-definition.ts";

export const priorityClassDefinition: WrittenDefinition<"PriorityClass"> = {
  kind: "PriorityClass",
  plural: "priorityclasses",
  shortNames: ["pc"],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  applyStep: 40,
  malformed: malformedPriorityClass,
};

function malformedPriorityClass(spec: PriorityClassSpec, bad: Bad): No | undefined {
  const { value, preempts = "lower", band = "", preemptible = true } = spec;
  // A value that is no number would be neither higher nor lower than any other.
  if (!Number.isSafeInteger(value) || Math.abs(value) > HIGHEST_VALUE) {
    return bad("spec.value", `a whole number, at most ${HIGHEST_VALUE} from 0`, value);
  }
  if (preempts !== "lower" && preempts !== "never") {
    return bad("spec.preempts", "lower or never", String(preempts));
  }
  if (typeof band !== "string") return bad("spec.band", "a name", String(band));
  return typeof preemptible === "boolean"
    ? undefined
    : bad("spec.preemptible", "true or false", String(preemptible));
}
