/** The hierarchies of cgroup v1, one for each controller or for a few of them together. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  attempt,
  type Controller,
  CONTROLLERS,
  CPU_PERIOD_US,
  type GroupLimits,
  type Hierarchy,
  makeBranch,
  memoryLimitMiB,
  quotaUs,
} from "./hierarchy.ts";

/** A mounted hierarchy: its controllers, and where a branch may be made. */
export interface MountedV1 {
  readonly controllers: readonly string[];
  readonly parents: readonly string[];
}

/**
 * Those of use that can be written: for limits, for freezing, and for the CPU time that was used.
 */
export function openV1(mounted: readonly MountedV1[], name: string): readonly Hierarchy[] {
  return mounted.flatMap(({ controllers, parents }) => {
    const limited = new Set(CONTROLLERS.filter((each) => controllers.includes(each)));
    const isFreezer = controllers.includes("freezer");
    if (limited.size === 0 && !isFreezer && !controllers.includes("cpuacct")) return [];
    const branch = makeBranch(parents, name, "cgroup.procs");
    if (branch === undefined) return [];
    return [
      {
        branch,
        limited,
        measuresCpu: controllers.includes("cpuacct"),
        killing: isFreezer ? ("frozen" as const) : ("one-by-one" as const),
        setLimits: (group: string, limits: GroupLimits) => setLimits(group, limits, limited),
      },
    ];
  });
}

function setLimits(group: string, of: GroupLimits, limited: ReadonlySet<Controller>): void {
  const { memoryMiB, cpuMillis, processes } = of;
  const write = (file: string, text: string): void => writeFileSync(join(group, file), text);
  if (limited.has("memory")) {
    const bytes = String(memoryLimitMiB(memoryMiB) * 2 ** 20);
    // In a branch that was made long ago a group counts its children only when told to.
    attempt(() => write("memory.use_hierarchy", "1"));
    write("memory.limit_in_bytes", bytes);
    // Memory and swap together: the kernel wants it to be no less than memory alone, so it comes
    // second.
    const both = "memory.memsw.limit_in_bytes";
    if (existsSync(join(group, both))) attempt(() => write(both, bytes));
  }
  if (limited.has("cpu")) {
    write("cpu.cfs_period_us", String(CPU_PERIOD_US));
    write("cpu.cfs_quota_us", String(quotaUs(cpuMillis)));
  }
  if (limited.has("pids")) write("pids.max", String(processes));
}
