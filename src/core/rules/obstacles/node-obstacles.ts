/**
 * A rule about the node itself among those of placement: every part of it that rejects the node,
 * and not only the first.
 */
import type { FeasibilityRule } from "../feasibility/misfit.ts";
import type { Obstacle } from "./obstacle.ts";
import type { PlacementRule } from "./placement-rule.ts";
import type { Placing } from "./remedy.ts";

export const aboutNode = (rule: FeasibilityRule): PlacementRule => ({
  name: rule.name,
  wakes: () => rule.wakes,
  obstacles: (placing) => partsInTheWay(rule, placing),
});

const NONE: readonly Obstacle[] = [];

function partsInTheWay(
  rule: FeasibilityRule,
  { node, use, replica }: Placing,
): readonly Obstacle[] {
  const { name } = rule;
  const { ask } = replica.spec.template;
  // Most nodes of a fleet pass most rules: each is asked as a whole before it is taken apart.
  const whole = rule.check({ node, use }, ask);
  if (whole === undefined) return NONE;
  if (rule.parts === undefined) {
    const { code, what, expected, actual } = whole;
    return [{ rule: name, code, what, expected, actual }];
  }
  const found: Obstacle[] = [];
  for (const part of rule.parts({ node, use }, ask)) {
    const candidate = { node: part.node ?? node, use: part.use ?? use };
    const misfit = rule.check(candidate, part.ask ?? ask);
    if (misfit === undefined) continue;
    const { code, what, expected, actual } = misfit;
    const of = { rule: name, code, what, expected, actual };
    found.push(part.remedy === undefined ? of : { ...of, remedy: part.remedy });
  }
  return found;
}
