/**
 * The cgroups of a node's replicas, where the machine allows them: they hold memory, CPU and the
 * number of processes to what the replica asked for, and everything in them can be killed, also
 * what has left its process group. One replica has a group of the same name in every hierarchy of
 * use; the first of them is the one that is killed.
 */
import { createHash } from "node:crypto";
import { mkdirSync, rmdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Amounts } from "../../core/model/amounts.ts";
import { openV1 } from "./cgroup-v1.ts";
import { openV2 } from "./cgroup-v2.ts";
import { type CgroupMounts, findMounts } from "./find-mounts.ts";
import { attempt, type Controller, CONTROLLERS, groupsIn, type Hierarchy } from "./hierarchy.ts";
import { removeGroups } from "./replica-groups.ts";

export interface CgroupTreeOptions {
  readonly node: string;
  /**
   * The agent's: two agents of one machine have a branch each, also when their nodes have the same
   * name.
   */
  readonly folder: string;
  /** What one replica may have of them. */
  readonly processes: number;
  /** Found out when left out. */
  readonly mounts?: CgroupMounts;
}

const NAMES: Readonly<Record<Controller, string>> = {
  memory: "memory",
  cpu: "CPU",
  pids: "the number of processes",
};

const BEST_FIRST: readonly Hierarchy["killing"][] = ["at-once", "frozen", "one-by-one"];

export class CgroupTree {
  /** What this machine cannot do for replicas, in sentences; they run all the same. */
  readonly notes: readonly string[];
  private readonly processes: number;
  private readonly hierarchies: readonly Hierarchy[];

  constructor({ node, folder, processes, mounts = findMounts() }: CgroupTreeOptions) {
    this.processes = processes;
    const name = branchName(node, folder);
    const v2 = openV2(mounts.v2, name);
    // A controller works in one hierarchy of the machine only, so nothing is limited twice.
    const all = [...(v2 === undefined ? [] : [v2]), ...openV1(mounts.v1, name)].toSorted(
      (a, b) => BEST_FIRST.indexOf(a.killing) - BEST_FIRST.indexOf(b.killing),
    );
    this.hierarchies = all.filter(isOfUse);
    removeBranches(all.filter((each) => !this.hierarchies.includes(each)));
    this.notes = this.missing();
  }

  /** The groups of a new process; none where there can be none. */
  create(name: string, { cpuMillis, memoryMiB }: Amounts): readonly string[] {
    return this.hierarchies.map((hierarchy) => {
      const group = join(hierarchy.branch, name);
      mkdirSync(group, { recursive: true });
      hierarchy.setLimits(group, { memoryMiB, cpuMillis, processes: this.processes });
      return group;
    });
  }

  /** Removes groups that earlier agents could not, because a process was still ending in them. */
  sweep(kept: ReadonlySet<string>): void {
    const names = new Set([...kept].map((path) => basename(path)));
    for (const { branch } of this.hierarchies) {
      removeGroups(groupsIn(branch).filter((group) => !names.has(basename(group))));
    }
  }

  /** Takes the agent's branches away where they are empty. */
  close(): void {
    removeBranches(this.hierarchies);
  }

  private missing(): readonly string[] {
    const lacking = CONTROLLERS.filter(
      (name) => !this.hierarchies.some(({ limited }) => limited.has(name)),
    );
    if (this.hierarchies.length === 0) {
      return [
        `no cgroup hierarchy can be written here: ${lacking.map((name) => NAMES[name]).join(", ")} are not limited, and a process that leaves its process group outlives its replica`,
      ];
    }
    return lacking.map(
      (name) => `the cgroup controller ${name} cannot be used here: ${NAMES[name]} is not limited`,
    );
  }
}

/**
 * The first holds everything of a replica; another must limit something, or be the first to
 * measure.
 */
function isOfUse(each: Hierarchy, at: number, all: readonly Hierarchy[]): boolean {
  const isFirstToMeasure = all.findIndex(({ measuresCpu }) => measuresCpu) === at;
  return at === 0 || each.limited.size > 0 || isFirstToMeasure;
}

/** Not what is below: the groups of a replica that has ended still tell how it did. */
function removeBranches(hierarchies: readonly Hierarchy[]): void {
  for (const { branch } of hierarchies) attempt(() => rmdirSync(branch));
}

const HASH_LETTERS = 8;

export function branchName(node: string, folder: string): string {
  const digest = createHash("sha256").update(folder).digest("hex");
  return `berth-${node}-${digest.slice(0, HASH_LETTERS)}`;
}
