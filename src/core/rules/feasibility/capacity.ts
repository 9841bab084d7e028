/** What the node has, less what its replicas hold, is at least what this one asks (BD4). */
import { AMOUNT_NAMES, type AmountName, type Amounts, shortage } from "../../model/amounts.ts";
import type { Ask } from "../../model/objects.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import type { NodeUse } from "../../observe/usage.ts";
import { devices } from "./devices.ts";
import type { Candidate, FeasibilityRule, Misfit, RulePart } from "./misfit.ts";

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
  *parts({ node, use }: Candidate, ask: Ask): Iterable<RulePart> {
    const { zone, capacity: has } = node.spec;
    for (const name of AMOUNT_NAMES) {
      const asked = ask.amounts[name];
      const amount = asked - (has[name] - use[name]);
      if (amount <= 0) continue;
      // Devices are told of by their pools, with what would free some.
      if (name === "deviceMillis" && devices.check({ node, use }, ask) !== undefined) continue;
      const part = {
        use: useOfOnly(use, name),
        ask: { ...ask, amounts: amountOfOnly(ask.amounts, name) },
      };
      // What the node never had cannot be freed.
      const canHelp = asked <= has[name] && name !== "deviceMillis";
      const remedy = { kind: "free", node: node.meta.name, zone, name, amount } as const;
      yield canHelp ? { ...part, remedy } : part;
    }
  },
};

/**
 * One amount, as if of the others nothing were asked or taken. Spelled out: it is made for every
 * node of a fleet.
 */
const amountOfOnly = (amounts: Amounts, amount: AmountName): Amounts => ({
  cpuMillis: amount === "cpuMillis" ? amounts.cpuMillis : 0,
  memoryMiB: amount === "memoryMiB" ? amounts.memoryMiB : 0,
  deviceMillis: amount === "deviceMillis" ? amounts.deviceMillis : 0,
});

const useOfOnly = (use: NodeUse, amount: AmountName): NodeUse => ({
  cpuMillis: amount === "cpuMillis" ? use.cpuMillis : 0,
  memoryMiB: amount === "memoryMiB" ? use.memoryMiB : 0,
  deviceMillis: amount === "deviceMillis" ? use.deviceMillis : 0,
  replicas: use.replicas,
  devices: use.devices,
  held: use.held,
});
