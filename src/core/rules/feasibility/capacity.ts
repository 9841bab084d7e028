/** What the node has, less what its replicas hold, is at least what this one asks (BD4). */
import { shortage } from "../../model/amounts.ts";
import type { Ask } from "../../model/objects.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import type { Candidate, FeasibilityRule, Misfit } from "./misfit.ts";

export const capacity: FeasibilityRule = {
  name: "capacity",
  wakes: [NODES_FACT],
  check({ node, use }: Candidate, ask: Ask): Misfit | undefined {
    const has = node.spec.capacity;
    const room = {
      cpuMillis: has.cpuMillis - use.cpuMillis,
      memoryMiB: has.memoryMiB - use.memoryMiB,
      deviceMillis: has.deviceMillis - use.deviceMillis,
    };
    const short = shortage(ask.amounts, room);
    if (short === undefined) return undefined;
    return {
      code: "node-full",
      node: node.key,
      what: short,
      expected: ask.amounts[short],
      actual: room[short],
    };
  },
};
