/**
 * What an autoscaler concludes, in words: the same in decisions, in its status and in what people
 * are told.
 */
import { countText } from "../../model/text/count-text.ts";
import type { LoadReading, ScaleTarget } from "../../model/autoscaler.ts";
import type { Autoscaler, Workload } from "../../model/objects.ts";
import type { ScaleAnswer, ScaleLimit } from "../../rules/scale/desired-replicas.ts";
import type { ScaleIdle, ScaleNow } from "../../rules/scale/scale-now.ts";

const UNITS: Readonly<Record<ScaleTarget["kind"], string>> = {
  cpu: "% of the CPU request of a replica",
  requests: " requests a second",
  metric: "",
};

/** e.g. "70% of the CPU request of a replica" */
const targetText = ({ kind, name, value }: ScaleTarget): string =>
  `${value}${UNITS[kind]}${name === undefined ? "" : ` ${name}`}`;

const IDLE: Readonly<Record<ScaleIdle, string>> = {
  "no-workload": "its workload is gone",
  "not-a-service": "only services without a gang are scaled",
  "switched-off": "its workload was scaled to 0, which turns autoscaling off",
  unobserved: "there are no samples yet",
  "scaled-by-hand": "another client set the number of replicas; autoscaling pauses for now",
};

export const idleText = (
  { spec }: Autoscaler,
  { idle }: Extract<ScaleNow, { kind: "idle" }>,
): string => `${spec.workload} is not scaled: ${IDLE[idle]}`;

const WHY: Readonly<Record<ScaleAnswer["why"], string>> = {
  steady: "the load is on target",
  "below-min": "it is below the minimum",
  "above-max": "it is above the maximum",
  "load-high": "the load is above its target",
  "load-low": "the load is below its target",
  "too-few-serve": "too few serve",
};

const LIMITS: Readonly<Record<ScaleLimit, string>> = {
  min: "it is at the minimum",
  max: "it is at the maximum",
  step: "limited by the step size",
  period: "its last step was too recent",
  window: "the stabilization window is not over",
  samples: "some serving replicas have no sample",
};

export function answerText(
  { spec }: Autoscaler,
  { workload, answer, observed }: Extract<ScaleNow, { kind: "asked" }>,
): string {
  const { replicas } = workload.spec;
  const move = answer.to === replicas ? `stays at ${replicas}` : `${replicas} to ${answer.to}`;
  const why = answer.limit === "samples" ? "too few samples to scale down" : WHY[answer.why];
  const limit = answer.limit === undefined ? "" : `; ${LIMITS[answer.limit]}`;
  const load = loadText(spec.target, observed);
  const unmeasured = unmeasuredText(spec.target, workload, observed);
  return `${spec.workload} ${move}: ${why} (${load})${limit}${unmeasured}`;
}

/** Why some are not measured, where anybody can say. */
function unmeasuredText(
  { kind }: ScaleTarget,
  { spec }: Workload,
  { covered, of, missing }: LoadReading,
): string {
  if (covered >= of) return "";
  if (missing !== undefined) return `; not measured: ${missing}`;
  const isUntold = kind === "requests" && spec.template.metrics === undefined;
  return isUntold ? "; its template has no metrics port for requests" : "";
}

/** e.g. "64 of 70% of the CPU request of a replica, measured of 3 of 4" */
function loadText(target: ScaleTarget, { sumMillis, covered, of }: LoadReading): string {
  if (covered === 0) return `no sample from ${countText(of, "serving replica")}`;
  const each = Math.round(sumMillis / covered / 1_000);
  return `${each} of ${targetText(target)}, sampled from ${covered} of ${of}`;
}
