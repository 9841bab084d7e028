/** Every label the workload selects by is on the node, with that value (BD7). */
import type { Ask } from "../../model/objects.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import type { Candidate, FeasibilityRule, Misfit, RulePart } from "./misfit.ts";

export const nodeSelector: FeasibilityRule = {
  name: "node-selector",
  wakes: [NODES_FACT],
  check({ node }: Candidate, ask: Ask): Misfit | undefined {
    for (const label in ask.nodeSelector) {
      const wanted = ask.nodeSelector[label] ?? "";
      const actual = node.meta.labels[label];
      if (actual !== wanted) {
        return {
          code: "node-not-selected",
          node: node.key,
          what: `label ${label}`,
          expected: wanted,
          actual: actual ?? "(none)",
        };
      }
    }
    return undefined;
  },
  *parts(_: Candidate, ask: Ask): Iterable<RulePart> {
    for (const [label, value] of Object.entries(ask.nodeSelector).toSorted(byName)) {
      const remedy = { kind: "drop-label", label, value } as const;
      yield { ask: { ...ask, nodeSelector: { [label]: value } }, remedy };
    }
  },
};

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number =>
  a < b ? -1 : 1;
