/** What an autoscaler concludes, in words: the same in decisions, in its status and in what people are told. */
import type { LoadReading, ScaleTarget } from "../../model/autoscaler.ts";
import type { Autoscaler, Workload } from "../../model/objects.ts";
import type { ScaleAnswer, ScaleLimit } from "../../rules/scale/desired-replicas.ts";
import type { ScaleIdle, ScaleNow } from "../../rules/scale/scale-now.ts";

const UNITS: Readonly<Record<ScaleTarget["kind"], string>> = {
  cpu: "% of the CPU that a replica asks for",
  requests: " requests a second",
  metric: "",
};

/** e.g. "70% of the CPU that a replica asks for" */
const targetText = ({ kind, name, value }: ScaleTarget): string =>
  `${value}${UNITS[kind]}${name === undefined ? "" : ` ${name}`}`;

const IDLE: Readonly<Record<ScaleIdle, string>> = {
  "no-workload": "its workload is gone",
  "not-a-service": "only services whose replicas run each for itself are scaled",
  "switched-off": "its workload was scaled to none, which switches it off",
  unobserved: "nothing was observed yet",
  "scaled-by-hand": "somebody else wrote the number of replicas, and it is left alone for now",
};

export const idleText = (
  { spec }: Autoscaler,
  { idle }: Extract<ScaleNow, { kind: "idle" }>,
): string => `${spec.workload} is not scaled: ${IDLE[idle]}`;

const WHY: Readonly<Record<ScaleAnswer["why"], string>> = {
  steady: "as many as its load needs",
  "below-min": "it has fewer than it is to have at least",
  "above-max": "it has more than it is to have at most",
  "load-high": "the load is above its target",
  "load-low": "the load is below its target",
  "too-few-serve": "too few serve",
};

const LIMITS: Readonly<Record<ScaleLimit, string>> = {
  min: "it has no fewer than it must",
  max: "it has as many as it may",
  step: "one step is no larger",
  period: "its last step was a moment ago",
  window: "that has not lasted long enough",
  samples: "not all that serve were measured",
};

export function answerText(
  { spec }: Autoscaler,
  { workload, answer, observed }: Extract<ScaleNow, { kind: "asked" }>,
): string {
  const { replicas } = workload.spec;
  const move = answer.to === replicas ? `stays at ${replicas}` : `${replicas} to ${answer.to}`;
  const why = answer.limit === "samples" ? "whether fewer would do is not known" : WHY[answer.why];
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
  return isUntold ? "; its template says no metrics to measure requests by" : "";
}

/** e.g. "64 of 70% of the CPU that a replica asks for, measured of 3 of 4" */
function loadText(target: ScaleTarget, { sumMillis, covered, of }: LoadReading): string {
  if (covered === 0) return `no sample of ${of} that serve`;
  const each = Math.round(sumMillis / covered / 1_000);
  return `${each} of ${targetText(target)}, measured of ${covered} of ${of}`;
}
