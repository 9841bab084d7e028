/** Every statement the workload makes about labels of its nodes is true of this one (BD7). */
import type { Ask, NodeExpression } from "../../model/objects.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import { expressionHolds } from "./expression-holds.ts";
import type { Candidate, FeasibilityRule, Misfit, RulePart } from "./misfit.ts";

export const nodeExpressions: FeasibilityRule = {
  name: "node-expressions",
  wakes: [NODES_FACT],
  check({ node }: Candidate, ask: Ask): Misfit | undefined {
    for (const expression of ask.nodeExpressions ?? []) {
      if (expressionHolds(expression, node.meta.labels)) continue;
      return {
        code: "node-not-selected",
        node: node.key,
        what: `label ${expression.key}`,
        expected: expressionText(expression),
        actual: node.meta.labels[expression.key] ?? "(none)",
      };
    }
    return undefined;
  },
  *parts(_: Candidate, ask: Ask): Iterable<RulePart> {
    for (const expression of ask.nodeExpressions ?? []) {
      const remedy = { kind: "drop-expression", expression } as const;
      yield { ask: { ...ask, nodeExpressions: [expression] }, remedy };
    }
  },
};

/** e.g. "in a100|v100" */
const expressionText = ({ operator, values }: NodeExpression): string =>
  values.length === 0 ? operator : `${operator} ${values.join("|")}`;
