/**
 * The unified hierarchy (cgroup v2): one group limits everything, and can be killed in one step.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
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

/** Undefined where no branch can be had in any of the folders. */
export function openV2(parents: readonly string[], name: string): Hierarchy | undefined {
  const best = bestBranch(parents, name);
  if (best === undefined) return undefined;
  const { branch, limited } = best;
  const isKillable = existsSync(join(branch, "cgroup.kill"));
  return {
    branch,
    limited,
    measuresCpu: true,
    killing: isKillable ? "at-once" : "one-by-one",
    setLimits: (group, limits) => setLimits(group, limits, limited),
  };
}

interface Branch {
  readonly branch: string;
  readonly limited: ReadonlySet<Controller>;
}

/** The mount's root may offer nothing while the agent's own group was delegated to it. */
function bestBranch(parents: readonly string[], name: string): Branch | undefined {
  let best: Branch | undefined;
  for (const parent of parents) {
    const branch = makeBranch([parent], name, "cgroup.controllers");
    if (branch === undefined) continue;
    const limited = enable([parent, branch]);
    const isBetter = best === undefined || limited.size > best.limited.size;
    const other = isBetter ? best?.branch : branch;
    if (other !== undefined) attempt(() => rmdirSync(other));
    if (isBetter) best = { branch, limited };
    if (limited.size === CONTROLLERS.length) break;
  }
  return best;
}

function setLimits(group: string, of: GroupLimits, limited: ReadonlySet<Controller>): void {
  const { memoryMiB, cpuMillis, processes } = of;
  const write = (file: string, text: string): void => writeFileSync(join(group, file), text);
  if (limited.has("memory")) {
    write("memory.max", String(memoryLimitMiB(memoryMiB) * 2 ** 20));
    // Kernels without swap have no such file; there is nothing to limit then.
    attempt(() => write("memory.swap.max", "0"));
    // A replica without one of its processes is broken: what runs out of memory goes as a whole.
    write("memory.oom.group", "1");
  }
  if (limited.has("cpu")) {
    write("cpu.max", `${quotaUs(cpuMillis)} ${CPU_PERIOD_US}`);
  }
  if (limited.has("pids")) write("pids.max", String(processes));
}

/** The controllers that groups below `folders` have, after asking for those that they lack. */
function enable(folders: readonly string[]): ReadonlySet<Controller> {
  return folders.reduce<ReadonlySet<Controller>>((left, folder) => {
    const offered = wordsIn(folder, "cgroup.controllers");
    const isOn = wordsIn(folder, "cgroup.subtree_control");
    const usable = [...left].filter((name) => offered.includes(name));
    const missing = usable.filter((name) => !isOn.includes(name));
    return new Set(usable.filter((name) => !missing.includes(name) || turnOn(folder, name)));
  }, new Set(CONTROLLERS));
}

/** One at a time: the kernel takes all that are asked for together, or none. */
function turnOn(folder: string, name: Controller): boolean {
  const ask = (): true => {
    writeFileSync(join(folder, "cgroup.subtree_control"), `+${name}`, { flag: "a" });
    return true;
  };
  const isOn = attempt(ask);
  if (isOn === true) return true;
  // A group that has processes of its own cannot pass controllers on (all but the machine's root):
  // the agent moves into a group beside those of its replicas. Where others are in there with it,
  // they are left alone.
  return attempt(() => moveAside(folder)) === true && attempt(ask) === true;
}

function moveAside(folder: string): true {
  const aside = join(folder, "berth-agent");
  mkdirSync(aside, { recursive: true });
  const own = readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n");
  if (!own.includes(String(process.pid))) throw new Error("The agent is not in this group.");
  writeFileSync(join(aside, "cgroup.procs"), String(process.pid));
  return true;
}

function wordsIn(folder: string, file: string): readonly string[] {
  const text = attempt(() => readFileSync(join(folder, file), "utf8")) ?? "";
  return text.trim().split(/\s+/);
}
