/** A node with a cap takes no more replicas than that, whatever room is left (BD11). */
import { NODES_FACT } from "../observe/facts.ts";
import type { Candidate, FeasibilityRule, Misfit } from "./misfit.ts";

export const maxReplicas: FeasibilityRule = {
  name: "max-replicas",
  wakes: [NODES_FACT],
  check({ node, use }: Candidate): Misfit | undefined {
    const most = node.spec.maxReplicas;
    if (most === undefined || use.replicas < most) return undefined;
    return {
      code: "node-full",
      node: node.key,
      what: "replicas",
      expected: `fewer than ${most}`,
      actual: use.replicas,
    };
  },
};
