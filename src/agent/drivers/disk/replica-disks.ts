/**
 * Disks of replicas: each is a file of the node with a file system in it, all of whose room is
 * reserved before the replica begins. A replica that fills its disk meets the end of it, and takes
 * nothing from its neighbours or its node.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeDataFolder } from "../../../shell/private-folder.ts";
import { AGENT_LIMITS } from "../../agent-limits.ts";
import { passedOn } from "../../process/passed-on.ts";
import { missingTools, toolPath } from "../find-tool.ts";
import { installDiskScript } from "./disk-script.ts";

const TOOLS = {
  "mkfs.ext4": "e2fsprogs",
  mount: "mount",
  fallocate: "util-linux",
  unshare: "util-linux",
};
const MIB = 2 ** 20;
const UNITS: Readonly<Record<string, number>> = { Mi: MIB, Gi: 1_024 * MIB };
const PATIENCE_MS = 60_000;
const HASH_LETTERS = 32;
/** Large enough for a file system. */
const TRIAL = "1Mi";
const SUFFIX = ".disk";

/**
 * No journal, because no disk outlives its replica; nothing kept for root, no room that is given
 * back, tables that are written when they are used.
 */
const MKFS = ["-q", "-F", "-O", "^has_journal", "-m", "0", "-E", "lazy_itable_init=1,nodiscard"];

const run = promisify(execFile);

export interface ReplicaDisksOf {
  /** The agent's. */
  readonly folder: string;
  /** Of all replicas together; left out: all that the file system can spare. */
  readonly mostBytes?: number | undefined;
}

export interface Room {
  /** Of the process. */
  readonly name: string;
  readonly owner: { readonly uid: number; readonly gid: number };
  /** As the template says it; left out: memory. */
  readonly disk?: string | undefined;
  readonly memoryBytes: number;
  /** The files of an image that it may change. */
  readonly image?: string;
  /** Where the script says what went wrong. */
  readonly note: string;
}

export class ReplicaDisks {
  private readonly of: ReplicaDisksOf;
  private readonly path: string;
  private readonly script: string;
  /** Where all of them are mounted, each in a namespace of its own. */
  private readonly at: string;
  private lacks: string | undefined;
  /** One after the other, so that no two are promised the same room. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(of: ReplicaDisksOf) {
    this.of = of;
    this.path = join(of.folder, "disks");
    this.at = join(of.folder, "disk");
    makeDataFolder(this.path);
    makeDataFolder(this.at);
    // Users of containers pass through on their way to what is mounted there.
    chmodSync(this.at, 0o711);
    this.script = installDiskScript(of.folder);
    [this.lacks] = missingTools(TOOLS);
  }

  /** Why no replica gets one here, once it was tried. */
  get lacking(): string | undefined {
    return this.lacks;
  }

  /** What only a real mount can show, such as a machine without loop devices. */
  async try(): Promise<void> {
    if (this.lacks !== undefined) return;
    const folder = await mkdtemp(join(this.path, "trial-"));
    const file = join(folder, `trial${SUFFIX}`);
    try {
      await format(file, bytesOf(TRIAL));
      const note = join(folder, "note");
      const words = [file, this.at, note, TRIAL, "0:0", "-", "true"];
      await run(toolPath("unshare"), ["--mount", "/bin/sh", this.script, ...words], TERMS);
    } catch (error) {
      this.lacks = `it cannot mount a file as a disk: ${reasonOf(error)}`;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Reserves all of it; throws why it cannot be had. */
  make(name: string, size: string): Promise<void> {
    const made = this.turn.then(() => this.reserve(name, size));
    this.turn = made.catch(() => undefined);
    return made;
  }

  private async reserve(name: string, size: string): Promise<void> {
    if (this.lacks !== undefined) throw new Error(`This node has no disks: ${this.lacks}.`);
    const bytes = bytesOf(size);
    const why = this.noRoom(name, bytes);
    if (why !== undefined) throw new Error(`This node has no disk of ${size}: ${why}.`);
    const file = this.fileOf(name);
    try {
      await format(file, bytes);
    } catch (error) {
      rmSync(file, { force: true });
      throw new Error(`Its disk of ${size} cannot be made: ${reasonOf(error)}`, { cause: error });
    }
  }

  private noRoom(name: string, bytes: number): string | undefined {
    const { bavail, blocks, bsize } = statfsSync(this.path);
    const kept = (blocks * bsize) / AGENT_LIMITS.diskKept.value;
    const used = this.files().map((file) => ({ file, size: sizeOf(join(this.path, file)) }));
    const sum = (of: typeof used): number => of.reduce((all, { size }) => all + size, 0);
    const spare = bavail * bsize - kept;
    if (bytes > spare) return `the file system of its agent has ${shown(spare)} to spare`;
    const pool = Math.min(this.of.mostBytes ?? Number.POSITIVE_INFINITY, sum(used) + spare);
    if (sum(used) + bytes > pool) return `disks have ${shown(sum(used))} of ${shown(pool)} already`;
    const own = sum(used.filter(({ file }) => file.startsWith(prefixOf(name))));
    const share = pool / AGENT_LIMITS.diskShares.value;
    if (own + bytes <= share) return undefined;
    return `its namespace has ${shown(own)} of ${shown(share)}, its share, already`;
  }

  /** What mounts it, in front of the words of the command. */
  words(of: Room): readonly string[] {
    const { disk, owner, image = "-", note } = of;
    const room = disk === undefined ? String(of.memoryBytes) : this.fileOf(of.name);
    const ids = `${owner.uid}:${owner.gid}`;
    const words = [room, this.at, note, disk ?? "-", ids, image];
    return [toolPath("unshare"), "--mount", "/bin/sh", this.script, ...words];
  }

  /** The work directory of a replica that has a disk, as its namespace has it. */
  get work(): string {
    return join(this.at, "work");
  }
  /** The files of its image, which it may change. */
  get root(): string {
    return join(this.at, "root");
  }

  /** Also while it is still being unmounted: its room is free then. */
  remove(name: string): void {
    rmSync(this.fileOf(name), { force: true });
  }

  /** What agents left that were killed before they could remove it. */
  sweep(kept: ReadonlySet<string>): void {
    const files = new Set([...kept].map((name) => this.fileOf(name)));
    for (const name of readdirSync(this.path)) {
      const file = join(this.path, name);
      if (!files.has(file)) rmSync(file, { recursive: true, force: true });
    }
  }

  private files(): readonly string[] {
    return readdirSync(this.path).filter((name) => name.endsWith(SUFFIX));
  }

  private fileOf(name: string): string {
    const digest = createHash("sha256").update(name).digest("hex").slice(0, HASH_LETTERS);
    return join(this.path, `${prefixOf(name)}${digest}${SUFFIX}`);
  }
}

/** Names of processes begin with their namespace (process-folders.ts). */
const prefixOf = (name: string): string => `${name.split("+")[0]}+`;

const TERMS = { timeout: PATIENCE_MS, env: passedOn() };

async function format(file: string, bytes: number): Promise<void> {
  writeFileSync(file, "", { mode: 0o600, flag: "wx" });
  await run(toolPath("fallocate"), ["--length", String(bytes), file], TERMS);
  await run(toolPath("mkfs.ext4"), [...MKFS, file], TERMS);
}

/** Of a text that the template's fields have checked. */
export function bytesOf(size: string): number {
  const [, number, unit = ""] = /^([1-9]\d{0,3})(Mi|Gi)$/.exec(size) ?? [];
  const bytes = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (Number.isNaN(bytes)) throw new Error(`${JSON.stringify(size)} is no size of a disk.`);
  return bytes;
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const shown = (bytes: number): string => `${Math.max(0, Math.floor(bytes / MIB))}Mi`;

function reasonOf(error: unknown): string {
  const { stderr = "" } = error as { readonly stderr?: string };
  const [said = ""] = stderr.trim().split("\n").slice(-1);
  return said === "" ? (error instanceof Error ? error.message : String(error)) : said;
}
