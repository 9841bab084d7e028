/** A node takes no more replicas than its cap, whatever room is left (BD11, LB1). */
import { replicaCapOf } from "../../model/limits/replica-cap.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import type { Candidate, FeasibilityRule, Misfit, RulePart } from "./misfit.ts";

export const maxReplicas: FeasibilityRule = {
  name: "max-replicas",
  wakes: [NODES_FACT],
  check({ node, use }: Candidate): Misfit | undefined {
    const most = replicaCapOf(node.spec);
    if (use.replicas < most) return undefined;
    return {
      code: "node-full",
      node: node.key,
      what: "replicas",
      expected: `fewer than ${most}`,
      actual: use.replicas,
    };
  },
  parts: ({ node }: Candidate): Iterable<RulePart> => [
    { remedy: { kind: "free-place", node: node.meta.name } },
  ],
};
