/**
 * Brings one process into being: finds its ports, user and cgroup, writes down what it is, and
 * hands it to a shim. The record is durable before the shim is spawned, so no process can run
 * unknown to the agent.
 */
import { createHash } from "node:crypto";
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { ObjectKey, Revision, Uid } from "../../core/model/ids.ts";
import type { Template } from "../../core/model/objects.ts";
import type { RunOptions } from "../../core/model/run-options.ts";
import type { CgroupTree } from "../cgroups/cgroup-tree.ts";
import { removeGroups } from "../cgroups/replica-groups.ts";
import type { Driver, Place } from "../drivers/driver.ts";
import type { Drivers } from "../drivers/drivers.ts";
import { logSizes } from "../logs/log-sizes.ts";
import { passedOn } from "./passed-on.ts";
import type { PortAllocator } from "./port-allocator.ts";
import {
  environmentOf,
  environmentScript,
  type Surroundings,
  withVariables,
} from "./process-environment.ts";
import { cgroupsOf, type ProcessFolder, type ProcessRecord } from "./process-folder.ts";
import type { PrivateFiles, ReplicaFiles } from "../replica-files.ts";
import type { ShimScripts } from "./shim-scripts.ts";

export interface StartOrder {
  readonly replica: ObjectKey;
  readonly uid: Uid;
  readonly incarnation: number;
  readonly permittedAt: Revision;
  readonly leashed: boolean;
  readonly template: Template;
  readonly workload: string;
  readonly index: number;
  /** The exclusive units that were bound to it. */
  readonly deviceIds: readonly string[];
}

/** What a node has for its processes. */
export interface Workshop {
  readonly node: string;
  /** Under which its replicas are reached. */
  readonly host: string;
  readonly ports: PortAllocator;
  readonly cgroups: CgroupTree;
  readonly drivers: Drivers;
  readonly files: ReplicaFiles;
  /** The private files that a replica is to find; left out: none. */
  readonly filesOf?: FilesOf;
  readonly scripts: ShimScripts;
  readonly leashFile: string;
  /** Of one log file. */
  readonly logBytes: number;
}

export type FilesOf = (order: StartOrder) => Promise<PrivateFiles>;

/** What a template without run options gets; ten seconds is what people know from containers. */
export const DEFAULT_RUN: RunOptions = {
  env: {},
  workingDir: "",
  user: "",
  ports: [],
  stopGraceMs: 10_000,
};

/** What is known of an order at once, before anything was looked up. */
export function recordOf(order: StartOrder, orderedMs: number): ProcessRecord {
  const { replica, uid, incarnation, permittedAt, leashed, template } = order;
  const { stopGraceMs } = template.run ?? DEFAULT_RUN;
  const digest = createHash("sha256").update(JSON.stringify(template)).digest("hex");
  return {
    replica,
    uid,
    incarnation,
    permittedAt,
    leashed,
    asked: template.ask.amounts,
    stopGraceMs,
    templateDigest: digest.slice(0, 16),
    orderedMs,
    isPiped: true,
    ...(template.probe === undefined ? {} : { probe: template.probe }),
    ...(template.metrics === undefined ? {} : { metrics: template.metrics }),
  };
}

export interface Prepared {
  readonly record: ProcessRecord;
  readonly driver: Driver;
  /** With the values of the variables that it names. */
  readonly command: readonly string[];
}

/** Finds and writes down everything the process needs. */
export async function prepareProcess(of: {
  readonly order: StartOrder;
  readonly record: ProcessRecord;
  readonly folder: ProcessFolder;
  readonly workshop: Workshop;
}): Promise<Prepared> {
  const { order, folder, workshop } = of;
  const { template } = order;
  const run = template.run ?? DEFAULT_RUN;
  const driver = workshop.drivers.asked(template.ask.driver);
  const { disk } = template.ask;
  const asked = disk === undefined ? {} : { disk };
  const place = await driver.settle({ run, folder, ...asked });
  const made = new Undo();
  const settled = {
    ...of.record,
    ...asked,
    ...(place.runAs === undefined ? {} : { runAs: place.runAs }),
    ...(place.image === undefined ? {} : { image: place.image }),
  };
  made.add(() => driver.clean(settled, folder));
  try {
    const files = (await workshop.filesOf?.(order)) ?? new Map();
    const ports = await workshop.ports.take(run.ports, template.ask.fixedPorts);
    made.add(() => workshop.ports.release(ports));
    const cgroups = workshop.cgroups.create(folder.name, template.ask.amounts);
    made.add(() => removeGroups(cgroups));
    const record: ProcessRecord = {
      ...settled,
      ...(driver.name === "process" ? {} : { driver: driver.name }),
      ...(run.ports.length === 0 ? {} : { address: { host: workshop.host, ports } }),
      ...(cgroups.length === 0 ? {} : { cgroup: cgroups[0], cgroups }),
    };
    if (files.size > 0) {
      made.add(() => workshop.files.remove(folder.name));
      workshop.files.write(folder.name, files, place.runAs);
    }
    const hasFiles = files.size > 0;
    const around = surroundingsOf({ order, run, node: workshop.node, ports, place, hasFiles });
    const variables = environmentOf(around);
    const command = template.command.map((word) => withVariables(word, variables));
    driver.prepare({
      folder,
      record,
      run,
      environment: environmentScript(around),
      surroundings: { variables, workingDir: place.workingDir },
      command,
    });
    folder.writeRecord(record);
    return { record, driver, command };
  } catch (error) {
    made.undo();
    throw error;
  }
}

/** What was taken for a process that cannot be brought up goes again, the last of it first. */
class Undo {
  private readonly steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.steps.unshift(step);
  }

  undo(): void {
    for (const step of this.steps) step();
  }
}

function surroundingsOf(of: {
  readonly order: StartOrder;
  readonly run: RunOptions;
  readonly node: string;
  readonly ports: Readonly<Record<string, number>>;
  readonly place: Place;
  readonly hasFiles: boolean;
}): Surroundings {
  const { order, run, node, ports, place } = of;
  const { replica, workload, index, deviceIds, template } = order;
  return {
    replica,
    node,
    workload,
    index,
    deviceClass: template.ask.device?.class ?? "",
    deviceIds,
    ports,
    env: run.env,
    workingDir: place.workingDir,
    ...(of.hasFiles ? { filesDir: place.filesDir } : {}),
    hasSecretEnv: run.secretEnv !== undefined,
  };
}

/** From here on the process needs no agent. */
export function spawnShim(of: {
  readonly record: ProcessRecord;
  readonly driver: Driver;
  readonly command: readonly string[];
  readonly folder: ProcessFolder;
  readonly workshop: Workshop;
}): ChildProcess {
  const { record, driver, folder, workshop } = of;
  const { shim, launch } = workshop.scripts;
  const leash = record.leashed ? workshop.leashFile : "-";
  const owner = record.runAs === undefined ? "-" : `${record.runAs.uid}:${record.runAs.gid}`;
  const { blockBytes, blocks, fullBytes } = logSizes(workshop.logBytes);
  const sizes = [blockBytes, blocks, fullBytes].map(String);
  const command = driver.start({ folder, record, command: of.command });
  const trouble = openSync(folder.file("shim.log"), "a", 0o600);
  try {
    const child = spawn(
      "/bin/sh",
      [shim, folder.path, leash, owner, ...sizes, launch, ...cgroupsOf(record), "--", ...command],
      { cwd: "/", detached: true, stdio: ["ignore", trouble, trouble], env: passedOn() },
    );
    child.unref();
    return child;
  } finally {
    closeSync(trouble);
  }
}
