/**
 * Policies in a file: revisions such as `{ name: default-2, scoring: best-fit, onRollback: {
 * bindings: drain } }`, pointers such as `{ name: default, active: default-1 }`, and the timeline's
 * `activate: { policy: default, to: default-2 }`.
 */
import {
  type HealthTimes,
  type PolicyRules,
  type PreemptionRules,
  type RetryTerms,
  ROLLBACK_WAYS,
  type RollbackPlan,
  SCORINGS,
} from "../core/model/policy.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { UserAction, WorldPolicy, WorldPolicyRevision } from "../sim/world/world.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import { plainRecoveryRules, readRecoveryRules } from "./budget-fields.ts";
import type { Cursor } from "./cursor.ts";
import { plainDegraded, readDegraded } from "./degraded-fields.ts";
import { plainProvisioning, readProvisioning } from "./node-pool-fields.ts";
import { plainSpread, readSpread } from "./placement-fields.ts";
import { readName, type References } from "./references.ts";
import { plainScalingBounds, readScalingBounds } from "./scaling-bounds-fields.ts";

type Activate = Extract<UserAction, { do: "activate" }>;

const RULES = [
  "scoring",
  "preemption",
  "spread",
  "health",
  "retries",
  "autoscaling",
  "recovery",
  "degraded",
  "provisioning",
  "onRollback",
] as const;

export function readPolicyRevision(cursor: Cursor, references: References): WorldPolicyRevision {
  const fields = cursor.fields(["name", ...RULES]);
  const spec: PolicyRules = {
    scoring: fields.need("scoring").choice(SCORINGS),
    ...(fields.has("preemption") ? { preemption: readPreemption(fields.need("preemption")) } : {}),
    ...(fields.has("spread") ? { spread: fields.need("spread").list(readSpread) } : {}),
    ...(fields.has("health") ? { health: readHealth(fields.need("health")) } : {}),
    ...(fields.has("retries") ? { retries: readRetries(fields.need("retries")) } : {}),
    ...(fields.has("autoscaling")
      ? { autoscaling: readScalingBounds(fields.need("autoscaling")) }
      : {}),
    ...(fields.has("recovery")
      ? { recovery: readRecoveryRules(fields.need("recovery"), references) }
      : {}),
    ...(fields.has("degraded") ? { degraded: readDegraded(fields.need("degraded")) } : {}),
    ...(fields.has("provisioning")
      ? { provisioning: readProvisioning(fields.need("provisioning")) }
      : {}),
    ...(fields.has("onRollback") ? { onRollback: readPlan(fields.need("onRollback")) } : {}),
  };
  return { name: readName(fields.need("name")), spec };
}

const bands = (list: Cursor): string[] => list.list((band) => band.text("the name of a band"));

function readPreemption(cursor: Cursor): PreemptionRules {
  const fields = cursor.fields(["never", "apart"]);
  return {
    ...(fields.has("never") ? { never: bands(fields.need("never")) } : {}),
    ...(fields.has("apart") ? { apart: fields.need("apart").list(bands) } : {}),
  };
}

function readHealth(cursor: Cursor): HealthTimes {
  const fields = cursor.fields(["suspectAfter", "unknownAfter"]);
  return {
    ...(fields.has("suspectAfter")
      ? { suspectAfterMs: fields.need("suspectAfter").durationMs() }
      : {}),
    ...(fields.has("unknownAfter")
      ? { unknownAfterMs: fields.need("unknownAfter").durationMs() }
      : {}),
  };
}

function readRetries(cursor: Cursor): RetryTerms {
  const fields = cursor.fields(["attempts", "backoffFirst", "backoffMost"]);
  return {
    ...(fields.has("attempts") ? { attempts: fields.need("attempts").integer(1) } : {}),
    ...(fields.has("backoffFirst")
      ? { backoffFirstMs: fields.need("backoffFirst").durationMs() }
      : {}),
    ...(fields.has("backoffMost")
      ? { backoffMostMs: fields.need("backoffMost").durationMs() }
      : {}),
  };
}

function readPlan(cursor: Cursor): Partial<RollbackPlan> {
  const fields = cursor.fields(["bindings", "reservations"]);
  return {
    ...(fields.has("bindings") ? { bindings: fields.need("bindings").choice(ROLLBACK_WAYS) } : {}),
    ...(fields.has("reservations")
      ? { reservations: fields.need("reservations").choice(ROLLBACK_WAYS) }
      : {}),
  };
}

export function plainPolicyRevision({ name, spec }: WorldPolicyRevision): PlainFields {
  const { scoring, preemption, spread, health, retries, recovery, degraded, onRollback } = spec;
  const { autoscaling } = spec;
  return {
    name,
    scoring,
    ...(preemption === undefined ? {} : { preemption: { ...preemption } }),
    ...(spread === undefined ? {} : { spread: spread.map(plainSpread) }),
    ...(health === undefined ? {} : { health: plainHealth(health) }),
    ...(retries === undefined ? {} : { retries: plainRetries(retries) }),
    ...(autoscaling === undefined ? {} : { autoscaling: plainScalingBounds(autoscaling) }),
    ...(recovery === undefined ? {} : { recovery: plainRecoveryRules(recovery) }),
    ...(degraded === undefined ? {} : { degraded: plainDegraded(degraded) }),
    ...(spec.provisioning === undefined
      ? {}
      : { provisioning: plainProvisioning(spec.provisioning) }),
    ...(onRollback === undefined ? {} : { onRollback: { ...onRollback } }),
  };
}

const plainHealth = ({ suspectAfterMs, unknownAfterMs }: HealthTimes): PlainFields => ({
  ...(suspectAfterMs === undefined ? {} : { suspectAfter: formatDuration(suspectAfterMs) }),
  ...(unknownAfterMs === undefined ? {} : { unknownAfter: formatDuration(unknownAfterMs) }),
});

const plainRetries = ({ attempts, backoffFirstMs, backoffMostMs }: RetryTerms): PlainFields => ({
  ...(attempts === undefined ? {} : { attempts }),
  ...(backoffFirstMs === undefined ? {} : { backoffFirst: formatDuration(backoffFirstMs) }),
  ...(backoffMostMs === undefined ? {} : { backoffMost: formatDuration(backoffMostMs) }),
});

export function readPolicy(cursor: Cursor): WorldPolicy {
  const fields = cursor.fields(["name", "active"]);
  return { name: readName(fields.need("name")), active: readName(fields.need("active")) };
}

export function readActivate(value: Cursor, references: References): Activate {
  const fields = value.fields(["policy", "to", "region", "stale"]);
  const regionAt = fields.has("region") ? fields.need("region") : undefined;
  const region = regionAt && readName(regionAt);
  if (region !== undefined) references.refer("region", region, regionAt as Cursor);
  const isStale = fields.has("stale") && fields.need("stale").boolean();
  return {
    do: "activate",
    policy: readName(fields.need("policy")),
    to: readName(fields.need("to")),
    ...(region === undefined ? {} : { region }),
    ...(isStale ? { stale: true } : {}),
  };
}

export const plainActivate = ({ policy, to, region, stale }: Activate): PlainFields => ({
  policy,
  to,
  ...(region === undefined ? {} : { region }),
  ...(stale === undefined ? {} : { stale }),
});
