/** Data residency: a replica runs only in regions and zones its workload allows (BD6). */
import type { Ask, Node } from "../../model/objects.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import type { Candidate, FeasibilityRule, Misfit, RulePart } from "./misfit.ts";

export const allowedLocation: FeasibilityRule = {
  name: "allowed-location",
  wakes: [NODES_FACT],
  check({ node }: Candidate, ask: Ask): Misfit | undefined {
    const { region, zone } = node.spec;
    if (ask.regions.length > 0 && !ask.regions.includes(region)) {
      return misfit(node, "region", ask.regions, region);
    }
    if (ask.zones.length > 0 && !ask.zones.includes(zone)) {
      return misfit(node, "zone", ask.zones, zone);
    }
    return undefined;
  },
  *parts({ node }: Candidate, ask: Ask): Iterable<RulePart> {
    const { region, zone } = node.spec;
    yield { ask: { ...ask, zones: [] }, remedy: { kind: "allow-region", region } };
    yield { ask: { ...ask, regions: [] }, remedy: { kind: "allow-zone", zone } };
  },
};

const misfit = (
  { key }: Node,
  what: string,
  allowed: readonly string[],
  actual: string,
): Misfit => ({
  code: "location-not-allowed",
  node: key,
  what,
  expected: allowed.join("|"),
  actual,
});
