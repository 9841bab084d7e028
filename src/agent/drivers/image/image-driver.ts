/**
 * Runs a command in an image, as crun makes it: a user namespace of its own, the image as a
 * read-only root, and otherwise what a sandbox has.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunOptions } from "../../../core/model/run-options.ts";
import { makeDataFolder } from "../../../shell/private-folder.ts";
import { writeDurably } from "../../../shell/write-durably.ts";
import { memoryLimitMiB } from "../../cgroups/hierarchy.ts";
import { passedOn } from "../../process/passed-on.ts";
import type { ProcessFolder, ProcessRecord } from "../../process/process-folder.ts";
import type { ReplicaFiles } from "../../replica-files.ts";
import type { Command, Driver, Making, Order, Place } from "../driver.ts";
import type { ReplicaDisks } from "../disk/replica-disks.ts";
import { AGENT_LIMITS } from "../../agent-limits.ts";
import { findTool, missingTools, toolPath } from "../find-tool.ts";
import { containerConfig, IMAGE_FILES } from "./container-config.ts";
import { IdRanges } from "./id-ranges.ts";
import { crunWords, installImageScript } from "./image-scripts.ts";
import { type Image, type ImageSettings, ImageStore } from "./image-store.ts";
import { userIn } from "./user-in.ts";

export interface ImageDriverOptions {
  /** The agent's. */
  readonly folder: string;
  readonly files: ReplicaFiles;
  readonly store?: ImageSettings;
  readonly lacking?: readonly string[];
  readonly disks: ReplicaDisks;
}

const TOOLS = { crun: "crun", "tini-static": "tini", unshare: "util-linux", skopeo: "skopeo" };
const PATIENCE_MS = 20_000;
const MIB = 2 ** 20;
const INSIDE = "inside-";
const SECRETS_AS_FILES =
  "The driver image gives no secrets as variables: use run.secretFiles, which are in $BERTH_FILES.";
const DIGEST_LETTERS = 16;

interface Written {
  readonly process: object;
  readonly root: { readonly readonly: boolean };
}

export class ImageDriver implements Driver {
  readonly name = "image";
  readonly missing: readonly string[];
  private readonly options: ImageDriverOptions;
  private readonly images: ImageStore;
  private readonly ranges: IdRanges;
  private readonly words: readonly string[];

  constructor(options: ImageDriverOptions) {
    const { folder, store, lacking = [] } = options;
    const own = process.getuid?.() === 0 ? [] : ["its agent does not run as root"];
    this.options = options;
    this.missing = [...own, ...missingTools(TOOLS), ...lacking];
    const images = join(folder, "images");
    makeDataFolder(images);
    this.images = new ImageStore({ ...store, folder: images });
    this.ranges = new IdRanges(folder);
    this.words = crunWords(installImageScript(folder), join(folder, "crun"));
  }

  async settle({ run, folder, disk }: Order): Promise<Place> {
    const { image = "", user, workingDir, network } = run;
    if (image === "") throw new Error("Its template names no image: set run.image.");
    // A shell of the image would have to read them, and crun's configuration is on the disk.
    if (Object.keys(run.secretEnv ?? {}).length > 0) throw new Error(SECRETS_AS_FILES);
    const taken = await this.images.take(image);
    try {
      const inside = userIn(taken, user);
      if (disk !== undefined) await this.options.disks.make(folder.name, disk);
      const first = this.ranges.take(network);
      const runAs = { uid: first + inside.uid, gid: first + inside.gid };
      return {
        runAs,
        workingDir: workingDirOf(taken, workingDir),
        filesDir: IMAGE_FILES,
        image: taken.id,
      };
    } catch (error) {
      this.options.disks.remove(folder.name);
      this.images.release(taken.id);
      throw error;
    }
  }

  prepare({ folder, record, run, command, surroundings }: Making): void {
    const { runAs, image = "", disk } = record;
    const { disks } = this.options;
    const isWritable = run.writable === true;
    if (runAs === undefined) throw new Error("A container has a user of its own.");
    const firstUid = this.ranges.firstOf(runAs.uid);
    const { root, config } = this.images.known(image);
    const files = this.options.files.pathOf(folder.name);
    const written = containerConfig({
      command,
      environment: surroundings.variables,
      imageEnv: config.env,
      workingDir: surroundings.workingDir,
      root: isWritable ? disks.root : root,
      isWritable,
      isAlone: run.network === "none",
      ...(disk === undefined ? {} : { work: disks.work }),
      uid: runAs.uid - firstUid,
      gid: runAs.gid - firstUid,
      firstUid,
      files: existsSync(files) ? files : undefined,
      memoryMiB: memoryLimitMiB(record.asked.memoryMiB),
      init: findTool("tini-static") ?? "",
    });
    // Not durably: after a crash of the machine nothing runs that would need it.
    writeFileSync(folder.file("config.json"), JSON.stringify(written), { mode: 0o600 });
  }

  start({ folder, record }: Command): readonly string[] {
    const start = [...this.words, "run", "--bundle", folder.path, idOf(folder)];
    const { runAs: owner, image = "", disk } = record;
    const isWritable = isWritableIn(folder);
    if (owner === undefined || (disk === undefined && !isWritable)) return start;
    const bytes = memoryLimitMiB(record.asked.memoryMiB) * MIB;
    const room = this.options.disks.words({
      name: folder.name,
      owner,
      disk,
      memoryBytes: Math.max(AGENT_LIMITS.leastMemoryBytes.value, bytes),
      note: folder.diskNote,
      ...(isWritable ? { image: this.images.known(image).root } : {}),
    });
    return [...room, ...start];
  }

  /** As the replica itself is: crun would take neither its directory nor its rights by itself. */
  inside({ folder, command }: Command): readonly string[] {
    const config = configOf(folder);
    const process = JSON.stringify({ ...config.process, args: command });
    const digest = createHash("sha256").update(process).digest("hex").slice(0, DIGEST_LETTERS);
    const file = folder.file(`${INSIDE}${digest}.json`);
    if (!existsSync(file)) writeDurably(file, process);
    return [...this.words, "exec", "--process", file, idOf(folder)];
  }

  /** Once crun says so: until then it is still on its way. */
  hasBegun({ folder }: Pick<Command, "folder">): boolean {
    try {
      const status = readFileSync(
        join(this.options.folder, "crun", idOf(folder), "status"),
        "utf8",
      );
      const { pid } = JSON.parse(status) as { readonly pid: number };
      const [init] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
      return init === "/run/berth/init" && children.trim() !== "";
    } catch {
      return false;
    }
  }

  adopt({ runAs, image }: ProcessRecord): void {
    if (runAs !== undefined) this.ranges.hold(runAs.uid);
    if (image !== undefined) this.images.hold(image);
  }

  clean({ runAs, image, disk }: ProcessRecord, folder: ProcessFolder): void {
    const words = [...this.words, "delete", "--force", idOf(folder)];
    if (existsSync(join(this.options.folder, "crun", idOf(folder))))
      spawnSync(toolPath("env"), words, { timeout: PATIENCE_MS, stdio: "ignore", env: passedOn() });
    for (const name of filesOf(folder)) rmSync(folder.file(name), { force: true });
    if (disk !== undefined) this.options.disks.remove(folder.name);
    if (runAs !== undefined) this.ranges.release(runAs.uid);
    if (image !== undefined) this.images.release(image);
  }
}

const configOf = (folder: ProcessFolder): Written =>
  JSON.parse(readFileSync(folder.file("config.json"), "utf8")) as Written;

const isWritableIn = (folder: ProcessFolder): boolean => !configOf(folder).root.readonly;

/** They hold the replica's environment. */
const filesOf = ({ path }: ProcessFolder): readonly string[] =>
  existsSync(path)
    ? readdirSync(path).filter((name) => name === "config.json" || name.startsWith(INSIDE))
    : [];

/** crun takes no signs in it. */
const idOf = ({ name }: ProcessFolder): string => name.replaceAll(/[^A-Za-z0-9._-]/g, "_");

const workingDirOf = ({ config }: Image, asked: RunOptions["workingDir"]): string => {
  if (asked !== "") return asked;
  return config.workingDir === "" ? "/work" : config.workingDir;
};
