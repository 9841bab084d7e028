/** How a runner retries: as the active policy says, and within what is built in (PY6). */
import type { Kind } from "../model/ids.ts";
import type { RetryTerms } from "../model/policy.ts";
import type { Interest } from "../observe/interest.ts";
import { defaultRules, type PolicySource } from "../observe/policy-in-force.ts";

const BUILT_IN_TERMS: RetryTerms = {};

export const retryTermsOf = ({ objects }: { readonly objects: PolicySource }): RetryTerms =>
  defaultRules(objects).retries ?? BUILT_IN_TERMS;

/**
 * A runner that retries by a policy must see it. An agent is shown its own replicas alone, and
 * retries as built in.
 */
export function withPolicies(interest: Interest): Interest {
  if (interest.node !== undefined) return interest;
  const kinds = new Set<Kind>([...interest.kinds, "Policy", "PolicyRevision"]);
  return { ...interest, kinds };
}
