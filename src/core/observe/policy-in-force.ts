/**
 * The policy in force for a workload in a region. It follows from the objects that are given and
 * from nothing else, so the scheduler asks it of its view, the authority of the truth, and a
 * what-if of a copy in which the pointer stands elsewhere. All who decide by a policy ask here.
 */
import { policyKey, policyRevisionKey, type ObjectKey } from "../model/ids.ts";
import type { ObjectOf, Spread, Template } from "../model/objects.ts";
import { DEFAULT_POLICY, type PolicyRules, type PolicySpec } from "../model/policy.ts";

/**
 * Where policies are looked up: an index, a view's, or a copy in which something else is in force.
 */
export interface PolicySource {
  all<K extends "Policy" | "PolicyRevision">(kind: K): ReadonlyMap<ObjectKey, ObjectOf<K>>;
}

export interface PolicyInForce {
  /** The name that the workload gives, or the default's. */
  readonly policy: string;
  /** Of the policy; 0: there is no such object, and what is built in counts. */
  readonly generation: number;
  /** The revision's name; undefined: it has none. */
  readonly revision: string | undefined;
  readonly rules: PolicyRules;
}

/** Without devices it is best fit; with devices it loses least of them. */
export const BUILT_IN: PolicyRules = { scoring: "fragmentation" };

type Named = Pick<Template, "policy">;

const NO_SPREAD: readonly Spread[] = [];

export const policyNameOf = ({ policy }: Named): string => policy ?? DEFAULT_POLICY;

/** The name of the revision in force there; an undefined region is one of which no stage speaks. */
export function revisionAt({ active, stages }: PolicySpec, region?: string): string | undefined {
  if (stages === undefined || region === undefined) return active;
  return stages.find((stage) => stage.region === region)?.revision ?? active;
}

/** Only the name, which is all that a bind is checked by; undefined: none that has one. */
export function revisionInForce(
  source: PolicySource,
  template: Named,
  region: string | undefined,
): string | undefined {
  const policies = source.all("Policy");
  // Most planes have no policy at all, and binds are many.
  if (policies.size === 0) return undefined;
  const found = policies.get(policyKey(policyNameOf(template)));
  return found && revisionAt(found.spec, region);
}

export function policyInForce(
  source: PolicySource,
  template: Named,
  region: string | undefined,
): PolicyInForce {
  const policy = policyNameOf(template);
  const found = source.all("Policy").get(policyKey(policy));
  if (found === undefined) return { policy, generation: 0, revision: undefined, rules: BUILT_IN };
  const { generation } = found.meta;
  const revision = revisionAt(found.spec, region);
  if (revision === undefined) {
    const scoring = found.spec.scoring ?? BUILT_IN.scoring;
    return { policy, generation, revision, rules: { scoring } };
  }
  const rules = source.all("PolicyRevision").get(policyRevisionKey(revision))?.spec ?? BUILT_IN;
  return { policy, generation, revision, rules };
}

/** Only the rules, for frequent callers. */
export const rulesInForce = (
  source: PolicySource,
  template: Named,
  region: string | undefined,
): PolicyRules =>
  source.all("Policy").size === 0 ? BUILT_IN : policyInForce(source, template, region).rules;

/**
 * Spreading is counted over all places of a workload, so it has one rule for all of them: that of
 * the only region that it may run in, and otherwise of wherever no stage is.
 */
export function spreadInForce(source: PolicySource, template: Template): readonly Spread[] {
  if (template.spread.length > 0 || source.all("Policy").size === 0) return template.spread;
  return spreadOfPolicy(source, template) ?? NO_SPREAD;
}

/** A policy that states an empty spread wants none at all. */
export const isSpreadStated = (source: PolicySource, template: Template): boolean =>
  template.spread.length > 0 ||
  (source.all("Policy").size > 0 && spreadOfPolicy(source, template) !== undefined);

function spreadOfPolicy(source: PolicySource, template: Template): PolicyRules["spread"] {
  const [region, ...others] = template.ask.regions;
  const only = others.length === 0 ? region : undefined;
  return rulesInForce(source, template, only).spread;
}

/** For what is no workload's: the health of nodes, and how controllers retry. */
export const defaultRules = (source: PolicySource, region?: string): PolicyRules =>
  rulesInForce(source, {}, region);
