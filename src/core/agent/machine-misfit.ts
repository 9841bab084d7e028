/**
 * Whether this very machine can take a replica that was bound to it. The authority has checked by
 * the Node object; a device that has died or a machine that came back smaller is known to its agent
 * alone.
 */
import type { Amounts } from "../model/amounts.ts";
import type { Machine } from "../model/node/machine.ts";
import type { Replica } from "../model/objects.ts";

/**
 * What the machine lacks, in a sentence, or undefined when it lacks nothing. `taken`: by what runs
 * there.
 */
export function machineMisfit(
  replica: Replica,
  machine: Machine,
  taken: Pick<Amounts, "cpuMillis" | "memoryMiB">,
): string | undefined {
  const { cpuMillis, memoryMiB } = replica.spec.template.ask.amounts;
  const { capacity, deviceIds } = machine;
  const missing = replica.status.deviceIds.filter((id) => !deviceIds.includes(id));
  if (missing.length > 0) {
    const found = deviceIds.length === 0 ? "none" : deviceIds.toSorted().join(", ");
    return `its node has no device ${missing.toSorted().join(", ")}: its agent was started with ${found}`;
  }
  const freeCpu = capacity.cpuMillis - taken.cpuMillis;
  if (cpuMillis > freeCpu) {
    return `it requests ${cpuMillis}m of CPU, and its node has ${freeCpu}m free of ${capacity.cpuMillis}m`;
  }
  const freeMemory = capacity.memoryMiB - taken.memoryMiB;
  if (memoryMiB > freeMemory) {
    return `it requests ${memoryMiB}Mi of memory, and its node has ${freeMemory}Mi free of ${capacity.memoryMiB}Mi`;
  }
  return undefined;
}
