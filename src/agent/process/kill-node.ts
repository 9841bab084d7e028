/**
 * Ends everything that runs on a node that is a process of this machine, as if its power were gone:
 * what its agent has started. The shims follow by themselves. Only processes that the agent itself
 * has written down are touched.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { killGroups } from "../cgroups/replica-groups.ts";
import { cgroupsOf, ProcessFolder } from "./process-folder.ts";
import { isRunning, parseIdentity, type ProcessIdentity } from "../../shell/process-identity.ts";

/**
 * `folder` is that of the agent, which is gone already: nothing new is started meanwhile. Returns
 * how many it ran.
 */
export function killNode(folder: string): number {
  const running = runningOn(folder);
  for (const { leader, cgroups } of running) {
    // Its shim goes by itself, and takes its guard with it: one that is killed leaves that behind
    // for good.
    kill(-leader.pid);
    killGroups(cgroups);
  }
  return running.length;
}

export interface RunningReplica {
  readonly leader: ProcessIdentity;
  readonly cgroups: readonly string[];
}

/** The processes of replicas that run on the node at this moment. */
export function runningOn(folder: string): readonly RunningReplica[] {
  const processes = join(folder, "processes");
  return namesIn(processes).flatMap((name) => {
    const path = join(processes, name);
    const leader = identityIn(join(path, "running"));
    const record = new ProcessFolder(path).readRecord();
    return record === undefined || leader === undefined
      ? []
      : [{ leader, cgroups: cgroupsOf(record) }];
  });
}

function identityIn(file: string): ProcessIdentity | undefined {
  try {
    const identity = parseIdentity(readFileSync(file, "utf8"));
    return identity !== undefined && isRunning(identity) ? identity : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It went by itself meanwhile.
  }
}
