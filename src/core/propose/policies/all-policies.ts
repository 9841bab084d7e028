/** The scoring policies there are, by the name that a `Policy` object gives. */
import type { Scoring } from "../../model/policy.ts";
import { BUILT_IN } from "../../observe/policy-in-force.ts";
import { createBestFit } from "./best-fit.ts";
import { createFragmentation } from "./fragmentation.ts";
import type { ScoringPolicy } from "./scoring-policy.ts";
import { createSpreadOut } from "./spread-out.ts";

/** Each scheduler has its own: what a policy learns is what that scheduler has seen. */
export const ALL_POLICIES = {
  "best-fit": createBestFit,
  "spread-out": createSpreadOut,
  fragmentation: createFragmentation,
} as const satisfies Readonly<Record<Scoring, () => ScoringPolicy>>;

export type PolicyName = Scoring;

export const RECOMMENDED_POLICY: PolicyName = BUILT_IN.scoring;
