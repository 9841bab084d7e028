/**
 * All rules that reject nodes for a replica, and the wake-ups of a wait: those of the rules that it
 * waits for.
 */
import type { Fact } from "../../protocol/decision.ts";
import type { Replica } from "../../model/objects.ts";
import { FEASIBILITY_RULES, NEIGHBOUR_RULES } from "../../rules/feasibility/feasibility.ts";
import { AFFINITY, SPREAD } from "../../rules/obstacles/neighbour-rules.ts";
import type { PlacementRule } from "../../rules/obstacles/placement-rule.ts";
import { partitionedRule } from "../../rules/override/partitioned.ts";
import { overrideRule } from "../../rules/override/wait-for-override.ts";
import { noRecoveryBudget } from "../fleet/recovery-budget-look.ts";
import { HELD_BACK_RULES } from "../fleet/held-back.ts";
import { regionQuota } from "../fleet/region-rule.ts";

const plain = ({ name, wakes }: { name: string; wakes: readonly Fact[] }): PlacementRule => ({
  name,
  wakes: () => wakes,
});

export const PLACEMENT_RULES: readonly PlacementRule[] = [
  ...FEASIBILITY_RULES.map(plain),
  ...NEIGHBOUR_RULES.map(plain),
  ...HELD_BACK_RULES,
  overrideRule,
  partitionedRule,
  noRecoveryBudget,
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
