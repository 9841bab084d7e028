/**
 * A cgroup for every process, where the machine lets us: it holds memory and CPU to what the replica asked
 * for, and it can be killed as a whole, also the parts of it that have left their process group.
 */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Amounts } from "../core/model/amounts.ts";

const CPU_PERIOD_US = 100_000;
/** The kernel takes no quota below a millisecond. */
const LEAST_QUOTA_US = 1_000;

export class CgroupTree {
  private readonly base: string | undefined;
  private readonly isLimiting: boolean;

  /** `note` is told once, and only if something is missing: the processes run all the same. */
  constructor(note: (message: string) => void, mount: string | undefined = findMount()) {
    this.base = mount === undefined ? undefined : prepare(mount);
    this.isLimiting = this.base !== undefined && enableControllers([String(mount), this.base]);
    if (this.base === undefined) {
      note("no writable cgroup v2 here: memory and CPU are not limited");
    } else if (!this.isLimiting) {
      note("the cgroup v2 controllers cpu and memory are not ours: memory and CPU are not limited");
    }
  }

  /** The folder of a new cgroup, or undefined when there can be none. */
  create(name: string, amounts: Amounts): string | undefined {
    if (this.base === undefined) return undefined;
    const path = join(this.base, name);
    mkdirSync(path, { recursive: true });
    if (this.isLimiting) limit(path, amounts);
    return path;
  }
}

/** Ends everything in it at once, if the kernel can (5.14 and later). */
export function killCgroup(path: string): void {
  attempt(() => writeFileSync(join(path, "cgroup.kill"), "1"));
}

/** An empty one goes; one that is not stays, and harms nobody. */
export function removeCgroup(path: string): void {
  attempt(() => rmdirSync(path));
}

function limit(path: string, { cpuMillis, memoryMiB }: Amounts): void {
  if (memoryMiB > 0) {
    writeFileSync(join(path, "memory.max"), String(memoryMiB * 2 ** 20));
    // Half a replica is worth nothing: what runs out of memory goes as a whole.
    writeFileSync(join(path, "memory.oom.group"), "1");
  }
  if (cpuMillis > 0) {
    const quotaUs = Math.max(LEAST_QUOTA_US, (cpuMillis * CPU_PERIOD_US) / 1_000);
    writeFileSync(join(path, "cpu.max"), `${quotaUs} ${CPU_PERIOD_US}`);
  }
}

function findMount(): string | undefined {
  const text = attempt(() => readFileSync("/proc/self/mountinfo", "utf8")) ?? "";
  const line = text.split("\n").find((candidate) => candidate.includes(" - cgroup2 "));
  return line?.split(" ")[4];
}

function prepare(mount: string): string | undefined {
  const base = join(mount, "berth");
  return attempt(() => {
    mkdirSync(base, { recursive: true });
    // In a container the folder may exist and belong to somebody else.
    mkdirSync(join(base, "trial"), { recursive: true });
    rmdirSync(join(base, "trial"));
    return base;
  });
}

function enableControllers(folders: readonly string[]): boolean {
  const isDone = attempt(() => {
    for (const folder of folders) {
      writeFileSync(join(folder, "cgroup.subtree_control"), "+cpu +memory");
    }
    return true;
  });
  return isDone === true;
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
