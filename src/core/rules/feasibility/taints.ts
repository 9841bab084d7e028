/**
 * A taint keeps away every replica that does not tolerate it, unless it only asks for others (BD8).
 */
import type { Ask } from "../../model/objects.ts";
import type { Taint } from "../../model/node/taint.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import type { Candidate, FeasibilityRule, Misfit, RulePart } from "./misfit.ts";

export const taints: FeasibilityRule = {
  name: "taints",
  wakes: [NODES_FACT],
  check({ node }: Candidate, ask: Ask): Misfit | undefined {
    for (const taint of node.spec.taints) {
      // "prefer-no-schedule" costs points and rejects nothing.
      if (taint.effect !== "no-schedule" || isTolerated(taint, ask)) continue;
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
  *parts({ node }: Candidate): Iterable<RulePart> {
    for (const taint of node.spec.taints) {
      const only = { ...node, spec: { ...node.spec, taints: [taint] } };
      yield { node: only, remedy: { kind: "tolerate", taint } };
    }
  },
};

export const isTolerated = (taint: Taint, ask: Ask): boolean =>
  ask.tolerations.some(
    ({ key, value, effect = "" }) =>
      (key === "" || key === taint.key) &&
      (value === "" || value === taint.value) &&
      (effect === "" || effect === taint.effect),
  );
