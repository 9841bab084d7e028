/** Why replicas wait, in a few words, for a table: the summary of a wait says the same in full. */
import type { Because } from "../../core/protocol/decision.ts";
import type { Amounts } from "../../core/model/amounts.ts";
import { capacity } from "../../core/rules/feasibility/capacity.ts";
import { cpuText, deviceText, memoryText } from "../kinds/text/amounts-text.ts";

/** More rules than these make no sentence of a few words. */
const RULES = 2;

/** e.g. "no node has 10 CPU, 4Gi free"; the summary where no rule rejected a node. */
export function causeOf({ summary, rejected = {} }: Because, asked: Amounts): string {
  const rules = Object.entries(rejected).toSorted(([, a], [, b]) => b.count - a.count);
  const [first] = rules;
  // Of a gang the summary tells how many of its members fit, which no single rule does.
  if (first === undefined || !summary.startsWith("no node fits")) {
    // The tenant stands beside it.
    return summary.replace(/^the quota of tenant \S+ is /, "quota ");
  }
  if (rejected[capacity.name] !== undefined) {
    const node = rules.length === 1 ? "no node" : "no eligible node";
    return `${node} has ${amountsText(asked)} free`;
  }
  return `all nodes are rejected: ${rules
    .slice(0, RULES)
    .map(([rule]) => rule)
    .join(", ")}`;
}

function amountsText({ cpuMillis, memoryMiB, deviceMillis }: Amounts): string {
  return [
    ...(cpuMillis === 0 ? [] : [`${cpuText(cpuMillis)} CPU`]),
    ...(memoryMiB === 0 ? [] : [memoryText(memoryMiB)]),
    ...(deviceMillis === 0
      ? []
      : [`${deviceText(deviceMillis)} ${deviceMillis === 1_000 ? "device" : "devices"}`]),
  ].join(", ");
}
