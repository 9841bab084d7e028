/**
 * Private files of replicas, such as tokens and secrets: one folder for each process, in memory and
 * never on a disk, for the replica's own user alone, gone with the process. The folder has the name
 * of the process's folder, so the next agent finds it again.
 */
import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { AGENT_LIMITS } from "./agent-limits.ts";

/** File system types whose content is memory, as statfs(2) names them. */
const IN_MEMORY: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);
const FILE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const NAME_LETTERS = 253;
const HASH_LETTERS = 16;

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** By their names. */
export type PrivateFiles = ReadonlyMap<string, Uint8Array>;

export class ReplicaFiles {
  private readonly parent: string;
  private readonly path: string;

  /** `agentFolder`: two agents of one machine have a place each. `parent`: found when left out. */
  constructor(agentFolder: string, parent = memoryFolder()) {
    this.parent = parent;
    this.path = join(parent, `berth-files-${digestOf(agentFolder)}`);
  }

  /** The folder of a process, there or not. */
  pathOf(name: string): string {
    return join(this.path, digestOf(name));
  }

  /**
   * Writes the files, each of them whole: a reader finds the old content or the new. Files that are
   * not named go. `owner` left out: the agent's own user.
   */
  write(of: string, files: PrivateFiles, owner?: Owner): void {
    check(files);
    if (!isMemory(this.parent)) throw new Error(NO_MEMORY);
    this.makePlace();
    const folder = this.pathOf(of);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [name, content] of files) {
      const file = join(folder, name);
      const beside = join(folder, `.${name}.new`);
      rmSync(beside, { force: true });
      writeFileSync(beside, content, { mode: 0o400, flag: "wx" });
      if (owner !== undefined) chownSync(beside, owner.uid, owner.gid);
      renameSync(beside, file);
    }
    for (const name of readdirSync(folder)) {
      if (!files.has(name)) rmSync(join(folder, name), { force: true });
    }
    // The replica reads here and writes nothing: no name in it can become a link of its own.
    if (owner !== undefined) {
      chownSync(folder, ownUid(), owner.gid);
      chmodSync(folder, 0o750);
    }
  }

  /** Undefined: the process has no such file. */
  read(of: string, name: string): Buffer | undefined {
    try {
      return readFileSync(join(this.pathOf(of), name));
    } catch {
      return undefined;
    }
  }

  /** Of a file that is there, for the same user. */
  replace(of: string, name: string, content: Uint8Array): void {
    const file = join(this.pathOf(of), name);
    const { uid, gid } = lstatSync(file);
    const beside = join(this.pathOf(of), `.${name}.new`);
    rmSync(beside, { force: true });
    writeFileSync(beside, content, { mode: 0o400, flag: "wx" });
    if (uid !== ownUid()) chownSync(beside, uid, gid);
    renameSync(beside, file);
  }

  remove(of: string): void {
    rmSync(this.pathOf(of), { recursive: true, force: true });
  }

  /** What agents left that were killed before they could remove it. */
  sweep(kept: ReadonlySet<string>): void {
    const names = new Set([...kept].map(digestOf));
    for (const name of namesIn(this.path)) {
      if (!names.has(name)) rmSync(join(this.path, name), { recursive: true, force: true });
    }
  }

  private makePlace(): void {
    try {
      mkdirSync(this.path, { mode: 0o711 });
      // The umask may have taken the right to pass.
      chmodSync(this.path, 0o711);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const { uid } = lstatSync(this.path);
      if (!lstatSync(this.path).isDirectory() || uid !== ownUid()) {
        throw new Error(
          `${this.path} belongs to another user: private files cannot be kept there.`,
          {
            cause: error,
          },
        );
      }
    }
  }
}

const ownUid = (): number => process.getuid?.() ?? 0;

const digestOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, HASH_LETTERS);

const SHARED_MEMORY = "/dev/shm";
const NO_MEMORY = `Neither /run nor ${SHARED_MEMORY} is in memory and writable: private files of replicas must not reach a disk. Mount a tmpfs at ${SHARED_MEMORY}.`;

/** A folder of the machine that is memory and can be written, as far as there is one. */
function memoryFolder(): string {
  const candidates = ["/run", process.env["XDG_RUNTIME_DIR"] ?? SHARED_MEMORY];
  return candidates.find(isMemory) ?? SHARED_MEMORY;
}

function isMemory(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return IN_MEMORY.has(statfsSync(path).type);
  } catch {
    return false;
  }
}

function check(files: PrivateFiles): void {
  const { filesPerReplica, fileBytesPerReplica } = AGENT_LIMITS;
  if (files.size > filesPerReplica.value)
    throw new Error(`A replica has at most ${filesPerReplica.value} private files.`);
  let bytes = 0;
  for (const [name, content] of files) {
    checkedName(name);
    bytes += content.length;
  }
  if (bytes > fileBytesPerReplica.value)
    throw new Error(
      `The private files of a replica have at most ${fileBytesPerReplica.value} bytes.`,
    );
}

function checkedName(name: string): string {
  if (name.length <= NAME_LETTERS && FILE_NAME.test(name)) return name;
  throw new Error(`A private file cannot be named ${JSON.stringify(name.slice(0, NAME_LETTERS))}.`);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
