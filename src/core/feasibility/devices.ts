/** Exclusive units are chosen by id, and each has one owner (BD5). */
import type { Ask } from "../model/objects.ts";
import { NODES_FACT } from "../observe/facts.ts";
import type { Candidate, FeasibilityRule, Misfit } from "./misfit.ts";

export const devices: FeasibilityRule = {
  name: "devices",
  wakes: [NODES_FACT],
  check(candidate: Candidate, ask: Ask): Misfit | undefined {
    if (ask.amounts.devices === 0) return undefined;
    const free = freeDevices(candidate, ask);
    if (free.length >= ask.amounts.devices) return undefined;
    return misfit(candidate, `${ask.amounts.devices} free ${ask.deviceClass}`, `${free.length}`);
  },
};

/** The free units of the asked class, in the node's own order so that everyone picks alike. */
export function freeDevices({ node, use }: Candidate, ask: Ask): readonly string[] {
  if (node.spec.deviceClass !== ask.deviceClass) return [];
  return node.spec.deviceIds.filter((id) => !use.deviceOwners.has(id));
}

/** Whether exactly these units may be given to this ask; the authority checks what the proposer picked. */
export function checkChosenDevices(
  candidate: Candidate,
  ask: Ask,
  chosen: readonly string[],
): Misfit | undefined {
  const count = ask.amounts.devices;
  if (chosen.length !== count || new Set(chosen).size !== count) {
    return misfit(candidate, `${count} distinct units`, chosen.join(",") || "none");
  }
  const free = count === 0 ? [] : freeDevices(candidate, ask);
  const taken = chosen.find((id) => !free.includes(id));
  return taken === undefined ? undefined : misfit(candidate, `${taken} free`, "taken or not there");
}

const misfit = (candidate: Candidate, expected: string, actual: string): Misfit => ({
  code: "device-taken",
  node: candidate.node.key,
  what: "devices",
  expected,
  actual,
});
