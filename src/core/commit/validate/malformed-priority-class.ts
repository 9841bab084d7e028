/** What the rules of preemption rely on in a class (OB5). */
import type { PriorityClassSpec } from "../../model/objects.ts";
import { HIGHEST_VALUE } from "../../model/preemption.ts";
import type { No } from "../../protocol/no.ts";
import type { Bad } from "./malformed-amounts.ts";

export function malformedPriorityClass(spec: PriorityClassSpec, bad: Bad): No | undefined {
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
