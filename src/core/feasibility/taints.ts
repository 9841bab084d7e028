/** A taint keeps away every replica that does not tolerate it (BD8). */
import type { Ask, Taint } from "../model/objects.ts";
import { NODES_FACT } from "../observe/facts.ts";
import type { Candidate, FeasibilityRule, Misfit } from "./misfit.ts";

export const taints: FeasibilityRule = {
  name: "taints",
  wakes: [NODES_FACT],
  check({ node }: Candidate, ask: Ask): Misfit | undefined {
    for (const taint of node.spec.taints) {
      if (tolerated(taint, ask)) continue;
      return {
        code: "taint-not-tolerated",
        node: node.key,
        what: "taint",
        expected: "tolerated",
        actual: `${taint.key}=${taint.value}`,
      };
    }
    return undefined;
  },
};

const tolerated = (taint: Taint, ask: Ask): boolean =>
  ask.tolerations.some(
    ({ key, value }) => key === taint.key && (value === "" || value === taint.value),
  );
