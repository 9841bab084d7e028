/**
 * What a decision about a workload was made under, in words that a trace, a log line and a chart
 * share: one leads to the others.
 */
import { AMOUNT_NAMES } from "../../core/model/amounts.ts";
import { policyKey } from "../../core/model/ids.ts";
import type { Replica, Template } from "../../core/model/objects.ts";
import { beyondLimit } from "../../core/observe/accounts/account.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { policyNameOf, revisionInForce } from "../../core/observe/policy-in-force.ts";

/**
 * Of a tenant: it has no quota, all is within its limit, some of it is lent, or it uses more than
 * is covered.
 */
export type QuotaState = "none" | "within-limit" | "borrowing" | "overdrawn";

export interface Correlation {
  readonly tenant: string;
  readonly workload: string;
  /** Of the template that replicas are made from. */
  readonly generation: number;
  readonly policy: string;
  /** Of the policy as it stands; 0 when there is no such object and the built-in one counts. */
  readonly policyRevision: number;
  /** Which of its revisions was in force for it; left out: one without a name. */
  readonly policyRevisionName?: string;
  readonly quota: QuotaState;
}

export interface AboutReplicas {
  readonly tenant: string;
  readonly workload: string;
  readonly generation: number;
  readonly template: Pick<Template, "policy">;
  /** The one that it was bound under, which may be of a region alone. */
  readonly boundUnder?: string | undefined;
}

export const aboutReplica = ({ meta, spec, status }: Replica): AboutReplicas => ({
  tenant: meta.namespace,
  workload: spec.workload,
  generation: spec.generation,
  template: spec.template,
  boundUnder: status.policyRevision,
});

export function correlationOf(
  objects: ObjectIndex,
  { tenant, workload, generation, template, boundUnder }: AboutReplicas,
): Correlation {
  const policy = policyNameOf(template);
  const named = boundUnder ?? revisionInForce(objects, template, undefined);
  return {
    tenant,
    workload,
    generation,
    policy,
    policyRevision: objects.all("Policy").get(policyKey(policy))?.meta.revision ?? 0,
    ...(named === undefined ? {} : { policyRevisionName: named }),
    quota: quotaStateOf(objects, tenant),
  };
}

export function quotaStateOf(objects: ObjectIndex, tenant: string): QuotaState {
  const { account, spec } = objects.quotaUsage.of(tenant);
  if (spec === undefined) return "none";
  if (AMOUNT_NAMES.some((name) => account.overdrawn[name] > 0)) return "overdrawn";
  return AMOUNT_NAMES.some((name) => beyondLimit(account, name) > 0) ? "borrowing" : "within-limit";
}
