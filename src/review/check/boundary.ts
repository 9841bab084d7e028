/** What a verdict does not say, one honest sentence each. */
import { countText } from "../../core/model/text/count-text.ts";
import { KUBERNETES_BOUNDARY } from "../kubernetes/run-kubernetes.ts";
import { kindOf } from "../promise.ts";
import type { Told } from "./answers.ts";
import { shownPercent } from "./sureness.ts";

export function boundaryOf({ promise, evidence, mechanisms, profile }: Told): readonly string[] {
  const { capacity, runs, failures } = evidence;
  const said: string[] = [];
  if (mechanisms.length === 0) {
    said.push("No object carries this promise: a change that breaks it is not rejected.");
  }
  if (promise.spec.when === undefined && failures.all.length > 0) {
    const by = [...new Set(failures.all.map((each) => each.by))].join(", ");
    said.push(
      `It names no failure: those of one ${by.replaceAll(", ", ", one ")} at a time were taken.`,
    );
  }
  said.push(...(capacity?.boundary ?? []));
  if (runs !== undefined) {
    const { seeds, kept } = runs.simulation;
    said.push(
      kept === seeds
        ? `${countText(seeds, "run")} of a simulation kept it. That shows with 95% confidence that at least ${shownPercent(seeds)}% of all runs would.`
        : `${countText(seeds, "run")} of a simulation show that it can be broken, and not how often it is.`,
      ...(profile === "kubernetes"
        ? KUBERNETES_BOUNDARY
        : ["The start of a process takes one second in the twin, and its work is not simulated."]),
    );
  }
  if (kindOf(promise) === "overrideEnds" && runs !== undefined) {
    said.push(
      "Clocks of the twin are up to half a minute apart, and an override ends by that of a plane.",
    );
  }
  if (kindOf(promise) === "invariant") {
    said.push("Replicas are placed after a failure as the scheduler would place them now.");
  }
  return said;
}
