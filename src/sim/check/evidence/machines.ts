/**
 * [INV21] A process is started only on a machine that has the devices it was given and, beside
 * everything that runs there, the CPU and memory it asks for.
 *
 * It would break if an agent trusted the Node object: the authority checks by what was declared,
 * and only the agent sees that a device has died or that the machine came back smaller.
 */
import type { Checker, LiveProcess, Report, Truth } from "../checker.ts";

class MachinesChecker implements Checker {
  readonly name = "machines";

  processStarted(started: LiveProcess, truth: Truth, report: Report): void {
    const { replica: key, node } = started;
    const replica = truth.objects.replica(key);
    if (replica === undefined) return;
    const { capacity, deviceIds } = truth.machineOf(node);
    for (const id of replica.status.deviceIds) {
      if (deviceIds.includes(id)) continue;
      report("INV21", `${key} was started on ${node}, whose device ${id} is not there.`, key);
    }
    let cpuMillis = 0;
    let memoryMiB = 0;
    for (const process of truth.processesOn(node)) {
      const asked = truth.objects.replica(process.replica)?.spec.template.ask.amounts;
      cpuMillis += asked?.cpuMillis ?? 0;
      memoryMiB += asked?.memoryMiB ?? 0;
    }
    if (cpuMillis <= capacity.cpuMillis && memoryMiB <= capacity.memoryMiB) return;
    const used = `${cpuMillis}m and ${memoryMiB}Mi`;
    const there = `${capacity.cpuMillis}m and ${capacity.memoryMiB}Mi`;
    report("INV21", `${key} was started on ${node}: ${used} are used there of ${there}.`, key);
  }
}

export const createMachinesChecker = (): Checker => new MachinesChecker();
