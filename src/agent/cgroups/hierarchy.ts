/**
 * One mounted cgroup hierarchy in which an agent has a branch of its own. Version 2 has one
 * hierarchy for everything, version 1 one for each controller; a replica has one group in each
 * hierarchy that is of use.
 */
import { mkdirSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { AGENT_LIMITS } from "../agent-limits.ts";

/** What can be limited. */
export type Controller = "memory" | "cpu" | "pids";
export const CONTROLLERS: readonly Controller[] = ["memory", "cpu", "pids"];

/**
 * What one replica may use. One that asks for nothing gets the least that can be limited, never
 * everything.
 */
export interface GroupLimits {
  readonly memoryMiB: number;
  readonly cpuMillis: number;
  readonly processes: number;
}

export interface Hierarchy {
  /** The agent's branch, below which every replica has a group. */
  readonly branch: string;
  /** What it limits. */
  readonly limited: ReadonlySet<Controller>;
  /**
   * How well it ends everything in a group: in one step, after freezing, or one process after the
   * other.
   */
  readonly killing: "at-once" | "frozen" | "one-by-one";
  /** Whether its groups tell how much CPU time was used. */
  readonly measuresCpu: boolean;
  setLimits(group: string, limits: GroupLimits): void;
}

export const CPU_PERIOD_US = 100_000;
/** The kernel takes no quota below a millisecond. */
const LEAST_QUOTA_US = 1_000;
const LEAST_MEMORY_MIB = AGENT_LIMITS.leastMemoryBytes.value / 2 ** 20;

export const quotaUs = (cpuMillis: number): number =>
  Math.max(LEAST_QUOTA_US, (cpuMillis * CPU_PERIOD_US) / 1_000);

/**
 * Nothing is no way around a tenant's quota: what asks for none of it would otherwise have all of
 * the machine's.
 */
export const memoryLimitMiB = (askedMiB: number): number => Math.max(LEAST_MEMORY_MIB, askedMiB);

/**
 * The first of the folders in which a branch of this name can be had. `mark` is a file that every
 * group has.
 */
export function makeBranch(
  parents: readonly string[],
  name: string,
  mark: string,
): string | undefined {
  for (const parent of parents) {
    const branch = attempt(() => {
      // A plain folder takes files and limits nothing.
      readFileSync(join(parent, mark));
      const path = join(parent, name);
      mkdirSync(path, { recursive: true });
      // In a container the folder may exist and belong to another user.
      mkdirSync(join(path, "trial"), { recursive: true });
      rmdirSync(join(path, "trial"));
      return path;
    });
    if (branch !== undefined) return branch;
  }
  return undefined;
}

/** The groups that are in a branch. */
export function groupsIn(branch: string): readonly string[] {
  const entries = attempt(() => readdirSync(branch, { withFileTypes: true })) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(branch, name));
}

export function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
