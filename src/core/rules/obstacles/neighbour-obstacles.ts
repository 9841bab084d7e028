/** The rules about neighbours among those of placement: what each counts, and where. */
import { companyFacts, siblingsFact } from "../../observe/facts.ts";
import type { Ask } from "../../model/objects.ts";
import { domainOf } from "../../model/topology.ts";
import { STATIC_RULES } from "../feasibility/feasibility.ts";
import type { NeighbourRule as CommittedRule } from "../feasibility/neighbour-rule.ts";
import {
  AFFINITY_RULE,
  FIXED_PORT_RULE,
  type NeighbourRule,
  SPREAD_RULE,
} from "./neighbour-rules.ts";
import type { Obstacle, Surroundings } from "./obstacle.ts";
import { isAvoided } from "./override-rules.ts";
import type { PlacementRule } from "./placement-rule.ts";
import type { Placing } from "./remedy.ts";

/** The emptiest place may be another once a sibling takes or leaves a node. */
export const SPREAD: PlacementRule = {
  name: SPREAD_RULE,
  wakes: ({ meta, spec }) => [siblingsFact(meta.namespace, spec.workload)],
  obstacles: (placing, around) => countedAgainst(SPREAD_RULE, placing, around),
};

/** A place opens once one of those that it must be near takes a node there. */
export const AFFINITY: PlacementRule = {
  name: AFFINITY_RULE,
  wakes: companyFacts,
  obstacles: (placing, around) => countedAgainst(AFFINITY_RULE, placing, around),
};

/** A rule that the authority checks, too; what it rejects here is counted on the view. */
export const besideOthers = ({
  name,
  wakes,
}: Pick<CommittedRule, "name" | "wakes">): PlacementRule => ({
  name,
  wakes: () => wakes,
  obstacles: (placing, around) => countedAgainst(name, placing, around),
});

function countedAgainst(
  name: string,
  { node, replica }: Placing,
  around: Surroundings,
): readonly Obstacle[] {
  if (around.rules.length === 0) return [];
  return around.rules.flatMap((rule) => {
    if (rule.name !== name) return [];
    const domain = domainOf(node, rule.by);
    const fewest = fewestOf(rule, replica.spec.template.ask, around);
    if (!rule.forbids(domain, fewest)) return [];
    return [neighbourObstacle(rule, { domain, fewest })];
  });
}

function neighbourObstacle(
  { name, by, counts, port }: NeighbourRule,
  { domain, fewest }: { readonly domain: string | undefined; readonly fewest: number },
): Obstacle {
  if (domain === undefined) {
    return { rule: name, what: by, expected: `a ${by}`, actual: "the node has none" };
  }
  const count = counts.get(domain) ?? 0;
  const actual = `${count} in ${domain}`;
  const what = by;
  switch (name) {
    case SPREAD_RULE:
      return {
        rule: name,
        what,
        expected: `at most maxSkew above the lowest count, ${fewest}`,
        actual: `${count + 1} in ${domain} with this one`,
        remedy: { kind: "loosen-spread", by, maxSkew: count + 1 - fewest },
      };
    case "max-per-node":
      return {
        rule: name,
        what,
        expected: "fewer replicas of its workload",
        actual,
        remedy: { kind: "raise-max-per-node", to: count + 1 },
      };
    case FIXED_PORT_RULE:
      return {
        rule: name,
        what,
        expected: `no replica with the fixed port ${port?.port}`,
        actual,
        ...(port && { remedy: { kind: "drop-fixed-port", ...port } as const }),
      };
    case AFFINITY_RULE:
      return { rule: name, what, expected: "a replica matching its affinity", actual };
    default:
      return { rule: name, what, expected: "no replica matching its anti-affinity", actual };
  }
}

/** How many the emptiest place has, among the places of nodes that may be used at all. */
function fewestOf(rule: NeighbourRule, ask: Ask, around: Surroundings): number {
  if (rule.looksAt !== "fewest") return 0;
  const { nodes, objects } = around;
  const known = around.fewest.get(rule.by);
  if (known !== undefined) return known;
  let fewest: number | undefined;
  for (const node of nodes) {
    const domain = domainOf(node, rule.by);
    const count = domain === undefined ? undefined : (rule.counts.get(domain) ?? 0);
    if (count === undefined || (fewest !== undefined && count >= fewest)) continue;
    const candidate = { node, use: objects.useOf(node.meta.name) };
    if (isAvoided(node, around.overrides)) continue;
    if (STATIC_RULES.every((each) => each.check(candidate, ask) === undefined)) fewest = count;
  }
  around.fewest.set(rule.by, fewest ?? 0);
  return fewest ?? 0;
}
