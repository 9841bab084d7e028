/**
 * All rules that reject nodes for a replica, in one list. Placement waits by it, and `explain` and
 * `--what-if` ask it; the rules that the authority checks, too, are in `feasibility/`.
 */
import type { Fact } from "../../protocol/decision.ts";
import type { Replica } from "../../model/objects.ts";
import { FEASIBILITY_RULES, NEIGHBOUR_RULES } from "../feasibility/feasibility.ts";
import { budgetRule } from "./budget-rule.ts";
import { HELD_BACK_RULES } from "./held-back-rules.ts";
import { AFFINITY, besideOthers, SPREAD } from "./neighbour-obstacles.ts";
import { aboutNode } from "./node-obstacles.ts";
import { overrideRule, partitionedRule } from "./override-rules.ts";
import type { PlacementRule } from "./placement-rule.ts";
import { regionQuota } from "./region-quota.ts";

export const PLACEMENT_RULES: readonly PlacementRule[] = [
  ...FEASIBILITY_RULES.map(aboutNode),
  ...NEIGHBOUR_RULES.map(besideOthers),
  ...HELD_BACK_RULES,
  overrideRule,
  partitionedRule,
  budgetRule,
  SPREAD,
  AFFINITY,
  regionQuota,
];

/** Each fact once, in the order of the rules. */
export function wakesOf(replica: Replica, names: Iterable<string>): readonly Fact[] {
  const wanted = new Set(names);
  const rules = PLACEMENT_RULES.filter(({ name }) => wanted.has(name));
  return [...new Set(rules.flatMap((rule) => rule.wakes(replica)))];
}
