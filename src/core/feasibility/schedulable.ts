/** A node takes new work only while it is known to be healthy and nobody holds it back (BD3). */
import { NODES_FACT } from "../observe/facts.ts";
import type { Candidate, FeasibilityRule, Misfit } from "./misfit.ts";

export const schedulable: FeasibilityRule = {
  name: "schedulable",
  wakes: [NODES_FACT],
  check({ node }: Candidate): Misfit | undefined {
    const held = heldBack(node);
    if (held === undefined) return undefined;
    return {
      code: "node-not-schedulable",
      node: node.key,
      what: "",
      expected: "schedulable",
      actual: held,
    };
  },
};

function heldBack(node: Candidate["node"]): string | undefined {
  if (node.meta.deletingMs !== undefined) return "being deleted";
  if (node.spec.draining) return "draining";
  const cordon = node.spec.cordons[0];
  if (cordon !== undefined) return `cordoned by ${cordon.holder}`;
  return node.status.health === "ready" ? undefined : node.status.health;
}
