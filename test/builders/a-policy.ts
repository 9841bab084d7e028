/** Policies and their revisions as they stand in a view. */
import { policyKey, policyRevisionKey } from "../../src/core/model/ids.ts";
import type { Policy, PolicyRevision } from "../../src/core/model/objects.ts";
import type { PolicyRules, PolicySpec, PolicyStatus } from "../../src/core/model/policy.ts";
import { aMeta } from "./a-meta.ts";

export function aPolicy(spec: PolicySpec, status: PolicyStatus = {}, name = "default"): Policy {
  const key = policyKey(name);
  return { kind: "Policy", key, meta: aMeta(key), spec, status };
}

export function aRevision(name: string, rules: Partial<PolicyRules> = {}): PolicyRevision {
  const key = policyRevisionKey(name);
  const spec: PolicyRules = { scoring: "best-fit", ...rules };
  return { kind: "PolicyRevision", key, meta: aMeta(key), spec, status: { madeAt: 1 } };
}
