/**
 * What can be done with the groups of one replica, whichever agent made them: which version they
 * are of shows by the files that are there. The first group of a list holds everything of the
 * replica; the others limit it.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, groupsIn } from "./hierarchy.ts";

/** A fork that began before the freeze may end after the first look. */
const ROUNDS = 3;
/**
 * The kernel freezes what runs within a millisecond or so; a process in a system call takes part
 * when it is back.
 */
const FREEZE_LOOKS = 100;

/** Ends everything in the first group, at once. */
export function killGroups(groups: readonly string[]): void {
  const [group] = groups;
  if (group === undefined) return;
  if (attempt(() => killAtOnce(group)) === true) return;
  for (let round = 0; round < ROUNDS && membersOf(group).length > 0; round += 1) {
    const state = join(group, "freezer.state");
    const isFreezer = existsSync(state);
    if (isFreezer) attempt(() => freeze(state));
    for (const pid of membersOf(group)) attempt(() => process.kill(pid, "SIGKILL"));
    // Also after a failure: what stays frozen never ends.
    if (isFreezer) attempt(() => writeFileSync(state, "THAWED"));
  }
}

/** From kernel 5.14 on; other files of the name do not exist, and none may be made. */
function killAtOnce(group: string): true {
  writeFileSync(join(group, "cgroup.kill"), "1", { flag: "r+" });
  return true;
}

function freeze(state: string): void {
  writeFileSync(state, "FROZEN");
  for (let look = 0; look < FREEZE_LOOKS; look += 1) {
    if (readFileSync(state, "utf8").trim() === "FROZEN") return;
  }
}

/** Of the group and of those below it. */
export function membersOf(group: string): readonly number[] {
  return [group, ...groupsIn(group)].flatMap((each) => {
    const text = attempt(() => readFileSync(join(each, "cgroup.procs"), "utf8")) ?? "";
    return text
      .split("\n")
      .map(Number)
      .filter((pid) => pid > 0);
  });
}

/**
 * Whether they are gone. Empty ones go; one in which a process is still ending stays until the next
 * attempt.
 */
export function removeGroups(groups: readonly string[]): boolean {
  return groups.map(remove).every((isGone) => isGone);
}

function remove(group: string): boolean {
  for (const below of groupsIn(group)) attempt(() => rmdirSync(below));
  try {
    rmdirSync(group);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/**
 * The groups of a command that runs beside the replica, inside its limits, and can be killed by
 * itself. Throws when there can be none: a probe outside all limits is worse than no answer. The
 * replica's own group is never made here, because it would have no limits.
 */
export const groupsOfProbe = (groups: readonly string[]): readonly string[] =>
  groupsBeside(groups, "probe");

/** The same under another name, for a command that runs beside a probe. */
export function groupsBeside(groups: readonly string[], name: string): readonly string[] {
  const [first, ...others] = groups;
  if (first === undefined) return [];
  const own = join(first, name);
  try {
    mkdirSync(own);
  } catch (error) {
    // An agent that was killed may have left it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return [own, ...others];
}

export interface OutOfMemory {
  /** How many processes the kernel has killed for want of memory. */
  readonly killed: number;
  /** Whether the replica's own limit was reached; otherwise the machine ran out. */
  readonly byOwnLimit: boolean;
}

export function outOfMemory(groups: readonly string[]): OutOfMemory {
  for (const group of groups) {
    const text = read(group, "memory.events") ?? read(group, "memory.oom_control");
    const killed = numberAfter(text, "oom_kill");
    if (killed === undefined) continue;
    const met = numberAfter(text, "max");
    return { killed, byOwnLimit: met === undefined ? hasReachedLimit(group) : met > 0 };
  }
  return { killed: 0, byOwnLimit: false };
}

/** How often a process could not be forked because the replica has as many as it may have. */
export function failedForks(groups: readonly string[]): number {
  const counts = groups.map((group) => numberAfter(read(group, "pids.events"), "max") ?? 0);
  return Math.max(0, ...counts);
}

/** The kernel charges pages in batches, so a group may be stopped a little below its limit. */
const BATCH_BYTES = 2 ** 20;

/** Of version 1, whose count of failures stays 0 in newer kernels. */
function hasReachedLimit(group: string): boolean {
  const most = Number(read(group, "memory.max_usage_in_bytes") ?? 0);
  const limit = Number(read(group, "memory.limit_in_bytes") ?? Number.POSITIVE_INFINITY);
  return most >= limit - BATCH_BYTES;
}

const NANOSECONDS = 1_000;

/** Microseconds that everything in the groups has used; undefined where no group says so. */
export function cpuUsedUs(groups: readonly string[]): number | undefined {
  for (const group of groups) {
    const used = numberAfter(read(group, "cpu.stat"), "usage_usec");
    if (used !== undefined) return used;
    const nanoseconds = read(group, "cpuacct.usage");
    if (nanoseconds !== undefined) return Math.floor(Number(nanoseconds) / NANOSECONDS);
  }
  return undefined;
}

const read = (group: string, file: string): string | undefined =>
  attempt(() => readFileSync(join(group, file), "utf8"));

function numberAfter(text: string | undefined, word: string): number | undefined {
  const found = new RegExp(`^${word} (\\d+)$`, "m").exec(text ?? "")?.[1];
  return found === undefined ? undefined : Number(found);
}
