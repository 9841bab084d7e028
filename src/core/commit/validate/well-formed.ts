/**
 * The shape the other rules rely on (OB5). The API checks its own schema with better messages; the
 * authority trusts nobody, because a negative amount would make capacity out of nothing.
 */
import { parseKey, quotaKey } from "../../model/ids.ts";
import { LOAD_LIMITS } from "../../model/limits/load-limits.ts";
import { OBJECT_MOST } from "../../model/limits/object-limits.ts";
import type { Desired, IntentOf } from "../../protocol/command.ts";
import { no, type No } from "../../protocol/no.ts";
import { type Bad, isCount } from "./malformed-amounts.ts";
import { malformedAutoscaler } from "./malformed-autoscaler.ts";
import { malformedBatch } from "./malformed-batch.ts";
import { malformedBudget } from "./malformed-budget.ts";
import { malformedDisconnect } from "./malformed-disconnect.ts";
import { malformedGang } from "./malformed-gang.ts";
import { malformedNode } from "./malformed-node.ts";
import { malformedNodePool } from "./malformed-node-pool.ts";
import { malformedOverride } from "./malformed-override.ts";
import { malformedPolicy, malformedRules } from "./malformed-policy.ts";
import { malformedPriorityClass } from "./malformed-priority-class.ts";
import { malformedQuota } from "./malformed-quota.ts";
import { malformedRecovery } from "./malformed-recovery.ts";
import { malformedRollout } from "./malformed-rollout.ts";
import { malformedSlo } from "./malformed-slo.ts";
import { malformedTemplate } from "./malformed-template.ts";

const MOST_REPLICAS = LOAD_LIMITS.workloadReplicas.value;

export function malformed(intent: IntentOf<"put">): No | undefined {
  const { kind, namespace, name } = parseKey(intent.key);
  const bad = (field: string, expected: string, actual: string | number): No =>
    no("bad-object", `${intent.key} ${field}`, expected, actual);
  if (kind !== intent.desired.kind) return bad("kind", intent.desired.kind, kind);
  // Names become parts of keys and of operation ids, which are joined with slashes.
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name)) {
    return bad("name", "lower-case letters, digits, '-' and '.'", name);
  }
  const tenantOwned = kind === "Workload" || kind === "Quota" || kind === "Autoscaler";
  if (tenantOwned === (namespace === "")) {
    return bad("namespace", tenantOwned ? "a tenant" : "none", namespace || "(none)");
  }
  if (kind === "Quota" && intent.key !== quotaKey(namespace)) return bad("name", "default", name);
  return malformedConditions(intent, bad) ?? malformedSpec(intent.desired, bad);
}

/** They are kept with the object and sent with it, so they are bounded. */
export const CONDITIONS_MAX = OBJECT_MOST.conditions;

function malformedConditions({ conditions = [] }: IntentOf<"put">, bad: Bad): No | undefined {
  if (conditions.length > CONDITIONS_MAX) {
    return bad("status.conditions", `at most ${CONDITIONS_MAX}`, conditions.length);
  }
  const types = conditions.map(({ type }) => type);
  if (types.includes("")) return bad("status.conditions.type", "a name", "(none)");
  return new Set(types).size === types.length
    ? undefined
    : bad("status.conditions", "each type once", types.join(","));
}

function malformedSpec(desired: Desired, bad: Bad): No | undefined {
  switch (desired.kind) {
    case "Node":
      return malformedNode(desired.spec, bad);
    case "Quota":
      return malformedQuota(desired.spec, bad);
    case "Workload": {
      const { replicas, template, disruption } = desired.spec;
      if (!isCount(replicas) || replicas > MOST_REPLICAS) {
        return bad("spec.replicas", `a whole number from 0 to ${MOST_REPLICAS}`, replicas);
      }
      if (disruption !== undefined && !isCount(disruption.maxUnavailable)) {
        const field = "spec.disruption.maxUnavailable";
        return bad(field, "a whole number, 0 or more", disruption.maxUnavailable);
      }
      return (
        malformedBatch(desired.spec, bad) ??
        malformedGang(desired.spec, bad) ??
        malformedRollout(desired.spec, bad) ??
        malformedRecovery(desired.spec, bad) ??
        malformedDisconnect(desired.spec, bad) ??
        malformedTemplate(template, bad)
      );
    }
    case "Policy":
      return malformedPolicy(desired.spec, bad);
    case "PolicyRevision":
      return malformedRules(desired.spec, bad);
    case "PriorityClass":
      return malformedPriorityClass(desired.spec, bad);
    case "Override":
      return malformedOverride(desired.spec, bad);
    case "Budget":
      return malformedBudget(desired.spec, bad);
    case "Autoscaler":
      return malformedAutoscaler(desired.spec, bad);
    case "NodePool":
      return malformedNodePool(desired.spec, bad);
    case "Slo":
      return malformedSlo(desired.spec, bad);
    default:
      return undefined;
  }
}
