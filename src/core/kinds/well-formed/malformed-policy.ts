/** What those who decide by a policy rely on in it, and in its revisions (OB5, PY2). */
import type { Spread } from "../../model/objects.ts";
import {
  CONFIRM_BOUNDS_MS,
  CONFIRM_WITHIN_MS,
  type DegradedRules,
  HEALTH_BOUNDS_MS,
  type HealthTimes,
  POLICY_LIST_MOST,
  type PolicyRules,
  type PolicySpec,
  type PreemptionRules,
  RETRY_BOUNDS,
  type RetryTerms,
  ROLLBACK_WAYS,
  SCALED_REPLICAS_MOST,
  type ScalingBounds,
  SCORINGS,
  STABILIZATION_MOST_MS,
} from "../../model/policy.ts";
import { SUSPECT_AFTER_MS, UNKNOWN_AFTER_MS } from "../../model/timing.ts";
import type { Rejection } from "../../protocol/rejection.ts";
import { type Bad, isCount, outside } from "./malformed-amounts.ts";
import { malformedRecoveryRules } from "./malformed-budget.ts";
import { malformedProvisioning } from "./malformed-node-pool.ts";

export function malformedPolicy(spec: PolicySpec, bad: Bad): Rejection | undefined {
  const { scoring, active, stages = [] } = spec;
  if (active === undefined) {
    if (stages.length > 0) return bad("spec.stages", "none without spec.active", stages.length);
    return scoring !== undefined && SCORINGS.includes(scoring)
      ? undefined
      : bad("spec.scoring", SCORINGS.join(" or "), scoring ?? "(none)");
  }
  if (scoring !== undefined) return bad("spec.scoring", "none beside spec.active", scoring);
  if (active === "") return bad("spec.active", "the name of a revision", "(none)");
  if (stages.length > POLICY_LIST_MOST) {
    return bad("spec.stages", `at most ${POLICY_LIST_MOST}`, stages.length);
  }
  for (const [at, { region, revision }] of stages.entries()) {
    const before = stages[at - 1]?.region ?? "";
    if (region <= before) return bad("spec.stages", "each region once, in their order", region);
    if (revision === "" || revision === active) {
      return bad("spec.stages.revision", `another revision than ${active}`, revision || "(none)");
    }
  }
  return undefined;
}

export function malformedRules(rules: PolicyRules, bad: Bad): Rejection | undefined {
  if (!SCORINGS.includes(rules.scoring)) {
    return bad("spec.scoring", SCORINGS.join(" or "), rules.scoring);
  }
  for (const [effect, way] of Object.entries(rules.onRollback ?? {})) {
    if (!ROLLBACK_WAYS.includes(way)) {
      return bad(`spec.onRollback.${effect}`, ROLLBACK_WAYS.join(" or "), way);
    }
  }
  return (
    malformedBands(rules.preemption ?? {}, bad) ??
    malformedSpread(rules.spread ?? [], bad) ??
    malformedHealth(rules.health ?? {}, bad) ??
    malformedRetries(rules.retries ?? {}, bad) ??
    malformedScaling(rules.autoscaling ?? {}, bad) ??
    (rules.recovery && malformedRecoveryRules(rules.recovery, bad)) ??
    malformedProvisioning(rules.provisioning ?? {}, bad) ??
    malformedDegraded(rules.degraded ?? { lowRisk: [] }, bad)
  );
}

function malformedDegraded(
  { lowRisk, confirmWithinMs }: DegradedRules,
  bad: Bad,
): Rejection | undefined {
  const field = "spec.degraded.lowRisk";
  if (lowRisk.length > POLICY_LIST_MOST) {
    return bad(field, `at most ${POLICY_LIST_MOST}`, lowRisk.length);
  }
  if (new Set(lowRisk).size < lowRisk.length) return bad(field, "each once", lowRisk.join(","));
  const withinMs = confirmWithinMs ?? CONFIRM_WITHIN_MS;
  return outside("spec.degraded.confirmWithinMs", withinMs, CONFIRM_BOUNDS_MS, bad);
}

function malformedBands(
  { never = [], apart = [] }: PreemptionRules,
  bad: Bad,
): Rejection | undefined {
  const sets = [never, ...apart];
  const field = "spec.preemption";
  if (sets.length > POLICY_LIST_MOST) return bad(field, `at most ${POLICY_LIST_MOST}`, sets.length);
  for (const set of sets) {
    if (set.length > POLICY_LIST_MOST) return bad(field, `at most ${POLICY_LIST_MOST}`, set.length);
    if (set.includes("")) return bad(field, "names of bands", "(none)");
    if (new Set(set).size < set.length) return bad(field, "each band once", set.join(","));
  }
  const lone = apart.find((set) => set.length < 2);
  return lone && bad(`${field}.apart`, "two bands or more in a set", lone.join(",") || "none");
}

function malformedSpread(spread: readonly Spread[], bad: Bad): Rejection | undefined {
  if (spread.length > POLICY_LIST_MOST) {
    return bad("spec.spread", `at most ${POLICY_LIST_MOST}`, spread.length);
  }
  const wrong = spread.find(({ maxSkew }) => !isCount(maxSkew) || maxSkew === 0);
  if (wrong !== undefined) {
    return bad("spec.spread.maxSkew", "a whole number, 1 or more", wrong.maxSkew);
  }
  return spread.some(({ by }) => by === "")
    ? bad("spec.spread.by", "node, zone, region or the key of a label", "(none)")
    : undefined;
}

/** A node that is called unknown too early is one whose agent still holds its lease (EV3). */
function malformedHealth(times: HealthTimes, bad: Bad): Rejection | undefined {
  const suspectMs = times.suspectAfterMs ?? SUSPECT_AFTER_MS;
  const unknownMs = times.unknownAfterMs ?? UNKNOWN_AFTER_MS;
  return (
    outside("spec.health.suspectAfterMs", suspectMs, HEALTH_BOUNDS_MS.suspect, bad) ??
    outside("spec.health.unknownAfterMs", unknownMs, HEALTH_BOUNDS_MS.unknown, bad) ??
    (suspectMs > unknownMs
      ? bad("spec.health.suspectAfterMs", `at most unknownAfter, ${unknownMs}`, suspectMs)
      : undefined)
  );
}

function malformedRetries(terms: RetryTerms, bad: Bad): Rejection | undefined {
  const { attempts, backoffFirstMs, backoffMostMs } = RETRY_BOUNDS;
  const first = terms.backoffFirstMs ?? backoffFirstMs.least;
  const most = terms.backoffMostMs ?? backoffFirstMs.most;
  return (
    outside("spec.retries.attempts", terms.attempts ?? attempts.most, attempts, bad) ??
    outside("spec.retries.backoffFirstMs", first, backoffFirstMs, bad) ??
    outside("spec.retries.backoffMostMs", most, backoffMostMs, bad) ??
    (first > most ? bad("spec.retries.backoffFirstMs", `at most ${most}`, first) : undefined)
  );
}

function malformedScaling(bounds: ScalingBounds, bad: Bad): Rejection | undefined {
  const { minReplicas = 0, maxReplicas = SCALED_REPLICAS_MOST } = bounds;
  const { stepMost = 1, stabilizationMs = 0 } = bounds;
  const replicas = { least: 0, most: SCALED_REPLICAS_MOST };
  const step = { ...replicas, least: 1 };
  const steady = { least: 0, most: STABILIZATION_MOST_MS };
  return (
    outside("spec.autoscaling.minReplicas", minReplicas, replicas, bad) ??
    outside("spec.autoscaling.maxReplicas", maxReplicas, replicas, bad) ??
    outside("spec.autoscaling.stepMost", stepMost, step, bad) ??
    outside("spec.autoscaling.stabilizationMs", stabilizationMs, steady, bad) ??
    (minReplicas > maxReplicas
      ? bad("spec.autoscaling.minReplicas", `at most maxReplicas, ${maxReplicas}`, minReplicas)
      : undefined)
  );
}
