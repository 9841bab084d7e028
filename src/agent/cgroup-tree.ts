/**
 * A cgroup for every process, where the machine lets us: it holds memory and CPU to what the replica asked
 * for, and it can be killed as a whole, also the parts of it that have left their process group.
 */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Amounts } from "../core/model/amounts.ts";

const CPU_PERIOD_US = 100_000;
/** The kernel takes no quota below a millisecond. */
const LEAST_QUOTA_US = 1_000;

type Controller = "memory" | "cpu";

export interface CgroupTreeOptions {
  /** Agents of one machine have a branch each, so that each may tidy up its own. */
  readonly node: string;
  /** Where the cgroup v2 hierarchy is mounted; found out when left out. */
  readonly mount?: string;
}

export class CgroupTree {
  /** What is missing, in sentences; the processes run all the same. */
  readonly notes: readonly string[];
  private readonly base: string | undefined;
  private readonly limited: ReadonlySet<Controller>;

  constructor({ node, mount = findMount() }: CgroupTreeOptions) {
    this.base = mount === undefined ? undefined : prepare(mount, node);
    const base = this.base;
    if (mount === undefined || base === undefined) {
      const why =
        mount === undefined
          ? "no cgroup v2 hierarchy is mounted here"
          : `the cgroup v2 hierarchy at ${mount} cannot be written`;
      this.limited = new Set();
      this.notes = [
        `${why}: memory and CPU are not limited, and what leaves its process group outlives it`,
      ];
      return;
    }
    const asked: readonly Controller[] = ["memory", "cpu"];
    this.limited = enabled(asked, [mount, base]);
    this.notes = asked
      .filter((name) => !this.limited.has(name))
      .map((name) => `the cgroup controller ${name} is not ours to use: ${name} is not limited`);
  }

  /** The folder of a new cgroup, or undefined when there can be none. */
  create(name: string, amounts: Amounts): string | undefined {
    if (this.base === undefined) return undefined;
    const path = join(this.base, name);
    mkdirSync(path, { recursive: true });
    if (this.limited.has("memory")) limitMemory(path, amounts);
    if (this.limited.has("cpu")) limitCpu(path, amounts);
    return path;
  }

  /** Removes what earlier agents could not, because something was still dying in it. */
  sweep(kept: ReadonlySet<string>): void {
    const { base } = this;
    if (base === undefined) return;
    const found = attempt(() => readdirSync(base, { withFileTypes: true })) ?? [];
    for (const entry of found) {
      const path = join(base, entry.name);
      if (entry.isDirectory() && !kept.has(path)) removeCgroup(path);
    }
  }
}

/** Ends everything in it at once, if the kernel can (5.14 and later). */
export function killCgroup(path: string): void {
  attempt(() => writeFileSync(join(path, "cgroup.kill"), "1"));
}

/** Whether it is gone. An empty one goes; one in which something is still dying stays, and harms nobody. */
export function removeCgroup(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

function limitMemory(path: string, { memoryMiB }: Amounts): void {
  if (memoryMiB === 0) return;
  writeFileSync(join(path, "memory.max"), String(memoryMiB * 2 ** 20));
  // Half a replica is worth nothing: what runs out of memory goes as a whole.
  writeFileSync(join(path, "memory.oom.group"), "1");
}

function limitCpu(path: string, { cpuMillis }: Amounts): void {
  if (cpuMillis === 0) return;
  const quotaUs = Math.max(LEAST_QUOTA_US, (cpuMillis * CPU_PERIOD_US) / 1_000);
  writeFileSync(join(path, "cpu.max"), `${quotaUs} ${CPU_PERIOD_US}`);
}

function findMount(): string | undefined {
  const text = attempt(() => readFileSync("/proc/self/mountinfo", "utf8")) ?? "";
  const line = text.split("\n").find((candidate) => candidate.includes(" - cgroup2 "));
  return line?.split(" ")[4];
}

function prepare(mount: string, node: string): string | undefined {
  const base = join(mount, `berth-${node}`);
  return attempt(() => {
    // A folder alone is no cgroup: on a machine with v1 this may be one.
    readFileSync(join(mount, "cgroup.controllers"));
    mkdirSync(base, { recursive: true });
    // In a container the folder may exist and belong to somebody else.
    mkdirSync(join(base, "trial"), { recursive: true });
    removeCgroup(join(base, "trial"));
    return base;
  });
}

/** Those of the controllers that the groups below `folders` have, after asking for what they lack. */
function enabled(
  controllers: readonly Controller[],
  folders: readonly string[],
): ReadonlySet<Controller> {
  const found = attempt(() =>
    folders.reduce((left, folder) => {
      const offered = wordsOf(folder, "cgroup.controllers");
      const isOn = wordsOf(folder, "cgroup.subtree_control");
      const usable = left.filter((name) => offered.includes(name));
      const missing = usable.filter((name) => !isOn.includes(name));
      if (missing.length > 0) {
        const text = missing.map((name) => `+${name}`).join(" ");
        writeFileSync(join(folder, "cgroup.subtree_control"), text);
      }
      return usable;
    }, controllers),
  );
  return new Set(found ?? []);
}

const wordsOf = (folder: string, file: string): readonly string[] =>
  readFileSync(join(folder, file), "utf8").trim().split(/\s+/);

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
