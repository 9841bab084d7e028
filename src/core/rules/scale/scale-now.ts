/**
 * What an autoscaler would do at its last observation. It follows from objects alone, with no
 * clock: the controller asks it of its view, the authority of the truth, and people are shown it as
 * it stands. All times that it compares were written by one authority, the last of them with the
 * observation.
 */
import type { Autoscaler, Replica, Workload } from "../../model/objects.ts";
import {
  type AutoscalerStatus,
  MANUAL_HOLD_MS,
  type Observation,
  type FullScaleRate,
  PACE_DOWN,
  PACE_UP,
  rateOf,
  scaledWorkload,
  type ScaleStep,
  targetMillis,
  type Recommendation,
} from "../../model/autoscaler.ts";
import type { ScalingBounds } from "../../model/policy.ts";
import { isWanted } from "../../model/availability.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { rulesInForce } from "../../observe/policy-in-force.ts";
import { desiredReplicas, type ScaleAnswer } from "./desired-replicas.ts";

/** Why nothing is decided at all. */
export type ScaleIdle =
  | "no-workload"
  | "not-a-service"
  | "switched-off"
  | "unobserved"
  | "scaled-by-hand";

export interface ScaleTerms {
  readonly min: number;
  readonly max: number;
  readonly up: FullScaleRate;
  readonly down: FullScaleRate;
  /** The most that a step may be by the policy in force; undefined: it says nothing. */
  readonly stepMost: number | undefined;
}

export type ScaleNow =
  | { readonly kind: "idle"; readonly idle: ScaleIdle; readonly workload: Workload | undefined }
  | {
      readonly kind: "asked";
      readonly workload: Workload;
      readonly terms: ScaleTerms;
      readonly observed: Observation;
      readonly answer: ScaleAnswer;
    };

/** The bounds of the autoscaler and those of the policy in force, whichever leave less. */
export function scaleTerms(
  objects: ObjectIndex,
  { spec }: Autoscaler,
  { spec: { template } }: Workload,
): ScaleTerms {
  const [region, ...others] = template.ask.regions;
  const only = others.length === 0 ? region : undefined;
  const bounds: ScalingBounds = rulesInForce(objects, template, only).autoscaling ?? {};
  const max = Math.min(spec.max, bounds.maxReplicas ?? spec.max);
  const down = rateOf(spec.down, PACE_DOWN);
  return {
    min: Math.min(max, Math.max(spec.min, bounds.minReplicas ?? spec.min)),
    max,
    up: rateOf(spec.up, PACE_UP),
    down: { ...down, windowMs: Math.max(down.windowMs, bounds.stabilizationMs ?? 0) },
    stepMost: bounds.stepMost,
  };
}

export function scaleNow(objects: ObjectIndex, autoscaler: Autoscaler): ScaleNow {
  const workload = objects.workload(scaledWorkload(autoscaler));
  const idle = whyIdle(workload, autoscaler);
  const { observed } = autoscaler.status;
  if (idle !== undefined || workload === undefined || observed === undefined) {
    return { kind: "idle", idle: idle ?? "unobserved", workload };
  }
  const terms = scaleTerms(objects, autoscaler, workload);
  const { replicas } = workload.spec;
  const { lastUp, lastDown, leastSince, mostSince } = autoscaler.status;
  const { least = [], most = [] } = autoscaler.status;
  const isHasty = !isWhole(mostSince, terms.down, observed);
  const answer = desiredReplicas({
    replicas,
    min: terms.min,
    max: terms.max,
    stepUp: stepOf(terms, terms.up, { replicas, last: lastUp, observed }),
    stepDown: stepOf(terms, terms.down, { replicas, last: lastDown, observed }),
    load: { ...observed, targetMillis: targetMillis(autoscaler.spec.target) },
    least: isWhole(leastSince, terms.up, observed) ? leastOf(least) : 0,
    // The load may have needed as many a moment before this look.
    most: isHasty && mostOf(most) !== undefined ? replicas : mostOf(most),
    floor: floorOf(objects, workload, autoscaler.spec.readiness),
  });
  return { kind: "asked", workload, terms, observed, answer };
}

/** Why the number is left alone, whatever the load. */
function whyIdle(
  workload: Workload | undefined,
  { spec, status }: Autoscaler,
): ScaleIdle | undefined {
  if (workload === undefined || workload.meta.deletingMs !== undefined) return "no-workload";
  if (workload.spec.type !== "service" || workload.spec.gang !== undefined) return "not-a-service";
  if (workload.spec.replicas === 0) return "switched-off";
  if (status.observed === undefined) return "unobserved";
  const isAnothers = status.replicas !== workload.spec.replicas;
  return isAnothers || isHeldByHand(status, spec.manualHoldMs) ? "scaled-by-hand" : undefined;
}

function isHeldByHand({ manual, observed }: AutoscalerStatus, holdMs = MANUAL_HOLD_MS): boolean {
  if (manual === undefined || observed === undefined) return false;
  return observed.atMs - manual.atMs < holdMs;
}

/** Left out: not recorded, in a log of an older build; then the remembered part is all. */
const isWhole = (
  since: AutoscalerStatus["mostSince"],
  { windowMs }: FullScaleRate,
  { atMs }: Observation,
): boolean => since === undefined || atMs - since.atMs >= windowMs;

function stepOf(
  { stepMost }: ScaleTerms,
  pace: FullScaleRate,
  given: {
    readonly replicas: number;
    readonly last: ScaleStep | undefined;
    readonly observed: Observation;
  },
): number {
  const { replicas, last, observed } = given;
  if (last !== undefined && observed.atMs - last.atMs < pace.periodMs) return 0;
  const step = Math.max(1, pace.replicas, Math.ceil((replicas * pace.percent) / 100));
  return stepMost === undefined ? step : Math.min(step, Math.max(1, stepMost));
}

/**
 * A replica without samples counts as idle: more are needed only if they were all the time.
 */
const leastOf = (recommendations: readonly Recommendation[]): number =>
  recommendations.length === 0
    ? 0
    : Math.min(...recommendations.map(({ replicas = 0 }) => replicas));

function mostOf(recommendations: readonly Recommendation[]): number | undefined {
  let most = 0;
  for (const { replicas } of recommendations) {
    if (replicas === undefined) return undefined;
    most = Math.max(most, replicas);
  }
  return recommendations.length === 0 ? undefined : most;
}

/** One more for each that has a node and served there, and does not for now. */
function floorOf(objects: ObjectIndex, workload: Workload, readiness: number | undefined): number {
  if (readiness === undefined) return 0;
  let lost = 0;
  for (const replica of objects.replicasOf(workload.key).values()) {
    if (isWanted(replica, workload) && isLostForNow(replica)) lost += 1;
  }
  return readiness + lost;
}

function isLostForNow({ status }: Replica): boolean {
  if (status.stopping !== undefined) return false;
  return (
    status.stage === "unknown" || (status.stage === "starting" && status.unready !== undefined)
  );
}
