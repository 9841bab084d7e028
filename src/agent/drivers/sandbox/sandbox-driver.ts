/**
 * Runs a command in a sandbox made by bubblewrap: a user of its own, namespaces of its own, the
 * system read-only, no rights, a filter for system calls. Everything that root does for it is done
 * before the command begins.
 */
import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { memoryLimitMiB } from "../../cgroups/hierarchy.ts";
import type { ProcessFolder, ProcessRecord } from "../../process/process-folder.ts";
import { IN_ENVIRONMENT } from "../../process/shim-scripts.ts";
import type { ReplicaFiles } from "../../replica-files.ts";
import type { Command, Driver, Making, Order, Place } from "../driver.ts";
import type { ReplicaDisks } from "../disk/replica-disks.ts";
import { missingTools, toolPath } from "../find-tool.ts";
import { refuseImage } from "../refuse-image.ts";
import { ReplicaUids } from "./replica-uids.ts";
import { installSandboxScripts, SANDBOX_WORDS, type SandboxScripts } from "./sandbox-scripts.ts";
import { CAPABILITIES, ENVIRONMENT, FILES, isShown, WORK, wordsOf } from "./sandbox-view.ts";
import { hears } from "./sandbox-processes.ts";
import { seccompFilter } from "./seccomp-filter.ts";

export interface SandboxOptions {
  /** The agent's. */
  readonly folder: string;
  readonly files: ReplicaFiles;
  /** Folders of the machine that all sandboxes show, read-only. */
  readonly readable?: readonly string[];
  /** What the machine lacks for the network's fence; left out: nothing. */
  readonly lacking?: readonly string[];
  readonly disks: ReplicaDisks;
}

const TOOLS = { bwrap: "bubblewrap", nsenter: "util-linux", setpriv: "util-linux" };

export class SandboxDriver implements Driver {
  readonly name = "sandbox";
  readonly missing: readonly string[];
  private readonly options: SandboxOptions;
  private readonly uids: ReplicaUids;
  private readonly scripts: SandboxScripts;
  private readonly filter: string;

  constructor(options: SandboxOptions) {
    const { folder } = options;
    this.options = options;
    this.uids = new ReplicaUids(folder);
    this.filter = join(folder, "system-calls.bpf");
    const program = seccompFilter();
    this.missing = missingFor(program, options.lacking ?? []);
    this.scripts = installSandboxScripts(folder);
    if (program !== undefined) writeFileSync(this.filter, program, { mode: 0o600 });
  }

  async settle({ run, folder, disk }: Order): Promise<Place> {
    const { readable = [], disks } = this.options;
    const { user, workingDir, network } = run;
    refuseImage(run);
    if (user !== "") throw new Error(OWN_USER);
    if (workingDir !== "" && !isShown(workingDir, readable)) throw new Error(notShown(workingDir));
    if (disk !== undefined) await disks.make(folder.name, disk);
    try {
      const runAs = this.uids.take(network);
      return { runAs, workingDir: workingDir === "" ? WORK : workingDir, filesDir: FILES };
    } catch (error) {
      disks.remove(folder.name);
      throw error;
    }
  }

  prepare({ folder, record, run, environment }: Making): void {
    const { uid, gid } = userOf(record);
    const passwd = folder.file("passwd");
    const group = folder.file("group");
    writeFileSync(folder.environment, environment, { mode: 0o400 });
    chownSync(folder.environment, uid, gid);
    writeFileSync(passwd, `root:x:0:0::/:/bin/sh\nreplica:x:${uid}:${gid}::${WORK}:/bin/sh\n`);
    writeFileSync(group, `root:x:0:\nreplica:x:${gid}:\n`);
    for (const file of [passwd, group]) chmodSync(file, 0o444);
    const words = wordsOf({
      environment: folder.environment,
      passwd,
      group,
      files: this.options.files.pathOf(folder.name),
      readable: this.options.readable ?? [],
      memoryMiB: memoryLimitMiB(record.asked.memoryMiB),
      hostname: "replica",
      isAlone: run.network === "none",
      ...(record.disk === undefined ? {} : { work: this.options.disks.work }),
    });
    // Not durably: after a crash of the machine nothing runs that would need it.
    writeFileSync(folder.file(SANDBOX_WORDS), `${words.join("\0")}\0`, { mode: 0o600 });
  }

  start({ folder, record, command }: Command): readonly string[] {
    const words = asReplica(record, command);
    const start = ["/bin/sh", this.scripts.start, folder.path, this.filter, ...words];
    const { disk } = record;
    if (disk === undefined) return start;
    const of = { name: folder.name, owner: userOf(record), disk, note: folder.diskNote };
    return [...this.options.disks.words({ ...of, memoryBytes: 0 }), ...start];
  }

  inside({ folder, record, command }: Command): readonly string[] {
    const words = [...CAPABILITIES, "--", ...asReplica(record, command)];
    return ["/bin/sh", this.scripts.inside, folder.path, this.filter, ...words];
  }

  hasBegun({ folder, record }: Pick<Command, "folder" | "record">): boolean {
    return hears(folder, userOf(record).uid);
  }

  adopt({ runAs }: ProcessRecord): void {
    if (runAs !== undefined) this.uids.hold(runAs);
  }

  clean({ runAs, disk }: ProcessRecord, folder: ProcessFolder): void {
    if (disk !== undefined) this.options.disks.remove(folder.name);
    if (runAs !== undefined) this.uids.release(runAs);
  }
}

const OWN_USER =
  "A sandbox runs as a user of its own, and its template names another one: leave out run.user, or use the driver process.";

const notShown = (path: string): string =>
  `The working directory ${path} is not in the sandbox: it shows the system and ${WORK}. Leave out run.workingDir, or start the agent with --readable ${path}.`;

function missingFor(program: Buffer | undefined, lacking: readonly string[]): readonly string[] {
  const own = process.getuid?.() === 0 ? [] : ["its agent does not run as root"];
  const filter = program === undefined ? [`no system calls are known for ${process.arch}`] : [];
  return [...own, ...missingTools(TOOLS), ...filter, ...lacking];
}

function userOf({ runAs }: ProcessRecord): NonNullable<ProcessRecord["runAs"]> {
  if (runAs === undefined) throw new Error("A sandbox has a user of its own.");
  return runAs;
}

/** The last steps of root: who comes after them has no way back. */
function asReplica(record: ProcessRecord, command: readonly string[]): readonly string[] {
  const { uid, gid } = userOf(record);
  return [
    [toolPath("setpriv"), `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"],
    ["--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--"],
    [toolPath("env"), "--default-signal=TERM"],
    ["/bin/sh", "-c", IN_ENVIRONMENT, ENVIRONMENT, ...command],
  ].flat();
}
