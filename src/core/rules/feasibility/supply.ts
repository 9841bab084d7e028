/** A forecast is no machine: nothing is committed to supply that is only expected (BD10). */
import { NODES_FACT } from "../../observe/facts.ts";
import type { Candidate, FeasibilityRule, Misfit } from "./misfit.ts";

export const supply: FeasibilityRule = {
  name: "supply",
  wakes: [NODES_FACT],
  check({ node }: Candidate): Misfit | undefined {
    if (node.spec.supply !== "soft") return undefined;
    return {
      code: "supply-is-soft",
      node: node.key,
      what: "supply",
      expected: "hard",
      actual: "soft",
    };
  },
};
