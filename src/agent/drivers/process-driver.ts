/**
 * Runs a command as a plain process of the machine: under its limits, and with everything that its
 * user may see and touch. For set-ups that trust what they run.
 */
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { becoming, findUser } from "../process/run-as.ts";
import { IN_ENVIRONMENT } from "../process/shim-scripts.ts";
import type { ReplicaFiles } from "../replica-files.ts";
import type { Command, Driver, Making, Order, Place } from "./driver.ts";
import { refuseIsolation } from "./refuse-isolation.ts";

export class ProcessDriver implements Driver {
  readonly name = "process";
  readonly missing = [];
  private readonly files: ReplicaFiles;

  constructor(files: ReplicaFiles) {
    this.files = files;
  }

  async settle(order: Order): Promise<Place> {
    const { run, folder } = order;
    refuseIsolation(order);
    const runAs = await findUser(run.user);
    checkFolder(run.workingDir);
    return {
      ...(runAs === undefined ? {} : { runAs }),
      workingDir: run.workingDir === "" ? folder.work : run.workingDir,
      filesDir: this.files.pathOf(folder.name),
    };
  }

  prepare({ folder, record, environment }: Making): void {
    const { runAs } = record;
    mkdirSync(folder.work, { mode: 0o700 });
    // The environment may hold secrets: it is for the process's own user alone.
    writeFileSync(folder.environment, environment, { mode: 0o400 });
    if (runAs === undefined) return;
    for (const file of [folder.work, folder.environment]) chownSync(file, runAs.uid, runAs.gid);
    chmodSync(folder.path, 0o711);
  }

  start({ folder, record, command }: Command): readonly string[] {
    const inside = ["/bin/sh", "-c", IN_ENVIRONMENT, folder.environment, ...command];
    return [...becoming(record.runAs), ...inside];
  }

  inside(of: Command): readonly string[] {
    return this.start(of);
  }

  /** The launch becomes the command, and hears as it does. */
  hasBegun(): boolean {
    return true;
  }

  /** It has nothing but its folder, which the supervisor keeps. */
  adopt(): void {}
  clean(): void {}
}

/** The launch would fail as well, but only its exit code would say so. */
function checkFolder(workingDir: string): void {
  if (workingDir === "") return;
  const found = statSync(workingDir, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  const what = found === undefined ? "does not exist" : "is not a folder";
  throw new Error(`The working directory ${workingDir} ${what} on this node.`);
}
