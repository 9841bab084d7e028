/**
 * Brings one process into being: finds its ports, user and cgroup, writes down what it is, and
 * hands it to a shim. The record is durable before the shim is spawned, so no process can run
 * unknown to the agent.
 */
import { createHash } from "node:crypto";
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename } from "node:path";
import type { ObjectKey, Revision, Uid } from "../../core/model/ids.ts";
import type { Template } from "../../core/model/objects.ts";
import type { RunOptions } from "../../core/model/run-options.ts";
import type { CgroupTree } from "../cgroups/cgroup-tree.ts";
import { removeGroups } from "../cgroups/replica-groups.ts";
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
import { becoming, findUser, type RunAs } from "./run-as.ts";
import { IN_ENVIRONMENT, type ShimScripts } from "./shim-scripts.ts";

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
  readonly scripts: ShimScripts;
  readonly leashFile: string;
  /** Of one log file. */
  readonly logBytes: number;
}

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
  /** With the values of the variables that it names. */
  readonly command: readonly string[];
}

/** Finds and writes down everything the process needs; the record is already durable. */
export async function prepareProcess(of: {
  readonly order: StartOrder;
  readonly record: ProcessRecord;
  readonly folder: ProcessFolder;
  readonly workshop: Workshop;
}): Promise<Prepared> {
  const { order, folder, workshop } = of;
  const run = order.template.run ?? DEFAULT_RUN;
  const runAs = await findUser(run.user);
  checkFolder(run.workingDir);
  const ports = await workshop.ports.take(run.ports, order.template.ask.fixedPorts);
  let cgroups: readonly string[] = [];
  try {
    cgroups = workshop.cgroups.create(basename(folder.path), order.template.ask.amounts);
    const record = {
      ...of.record,
      ...(run.ports.length === 0 ? {} : { address: { host: workshop.host, ports } }),
      ...(runAs === undefined ? {} : { runAs }),
      ...(cgroups.length === 0 ? {} : { cgroup: cgroups[0], cgroups }),
    };
    const around = surroundingsOf({ order, folder, run, node: workshop.node, ports });
    makeFiles(folder, runAs, environmentScript(around));
    folder.writeRecord(record);
    const known = environmentOf(around);
    return { record, command: order.template.command.map((word) => withVariables(word, known)) };
  } catch (error) {
    workshop.ports.release(ports);
    removeGroups(cgroups);
    throw error;
  }
}

/** The launch would fail as well, but only its exit code would say so. */
function checkFolder(workingDir: string): void {
  if (workingDir === "") return;
  const found = statSync(workingDir, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  const what = found === undefined ? "does not exist" : "is not a folder";
  throw new Error(`The working directory ${workingDir} ${what} on this node.`);
}

function surroundingsOf(of: {
  readonly order: StartOrder;
  readonly folder: ProcessFolder;
  readonly run: RunOptions;
  readonly node: string;
  readonly ports: Readonly<Record<string, number>>;
}): Surroundings {
  const { order, folder, run, node, ports } = of;
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
    workingDir: run.workingDir === "" ? folder.work : run.workingDir,
  };
}

function makeFiles(folder: ProcessFolder, runAs: RunAs | undefined, script: string): void {
  mkdirSync(folder.work, { mode: 0o700 });
  // The environment may hold secrets: it is for the process's own user alone.
  writeFileSync(folder.environment, script, { mode: 0o400 });
  if (runAs === undefined) return;
  for (const file of [folder.work, folder.environment]) chownSync(file, runAs.uid, runAs.gid);
  chmodSync(folder.path, 0o711);
}

/** From here on the process needs no agent. */
export function spawnShim(of: {
  readonly record: ProcessRecord;
  readonly command: readonly string[];
  readonly folder: ProcessFolder;
  readonly workshop: Workshop;
}): ChildProcess {
  const { record, folder, workshop } = of;
  const { shim, launch } = workshop.scripts;
  const leash = record.leashed ? workshop.leashFile : "-";
  const owner = record.runAs === undefined ? "-" : `${record.runAs.uid}:${record.runAs.gid}`;
  const { blockBytes, blocks, fullBytes } = logSizes(workshop.logBytes);
  const sizes = [blockBytes, blocks, fullBytes].map(String);
  const inside = ["/bin/sh", "-c", IN_ENVIRONMENT, folder.environment, ...of.command];
  const command = [...becoming(record.runAs), ...inside];
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
