/**
 * The images of a node, unpacked and read-only, by digest: fetched once, verified as a whole, and
 * removed when no replica uses them and others need their room.
 */
import { randomBytes } from "node:crypto";
import {
  createReadStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AGENT_LIMITS } from "../../agent-limits.ts";
import { BlobStore, type Descriptor } from "./blob-store.ts";
import { fetchImage } from "./fetch-image.ts";
import { type Manifest, manifestOf } from "./image-manifest.ts";
import { type ImageReference, readImageReference } from "./image-reference.ts";
import { openLayer } from "./open-layer.ts";
import { readTar } from "./tar-entries.ts";
import { type Budget, imageBudget, LayerWriter } from "./unpack-layer.ts";

export interface Image {
  /** The name of its folder. */
  readonly id: string;
  readonly root: string;
  readonly config: ImageConfig;
}

export interface ImageConfig {
  readonly user: string;
  readonly env: readonly string[];
  readonly workingDir: string;
}

interface WrittenConfig {
  readonly config?: {
    readonly User?: string;
    readonly Env?: readonly string[];
    readonly WorkingDir?: string;
  };
}

/** What a replica finds in every image, to be mounted over. */
const PLACES = ["dev", "etc", "proc", "run", "tmp", "work"];
/** What the smallest file takes of most disks. */
const FILE_BYTES = 4_096;
const MIB = 2 ** 20;

export interface ImageStoreOptions extends ImageSettings {
  readonly folder: string;
}

/** What the operator says of the images of a node. */
export interface ImageSettings {
  /** Where layouts and archives are; left out: the node has none. */
  readonly sources?: string;
  /** Credentials of registries; left out: those of the user who runs the agent. */
  readonly authFile?: string | undefined;
  /** The registries that images may come from; left out: any. */
  readonly registries?: readonly string[] | undefined;
  /** What images may have of the disk before unused ones go; left out: as usual. */
  readonly cacheBytes?: number | undefined;
  /** For people: what was removed. */
  readonly note?: ((message: string) => void) | undefined;
}

/** As it is written beside its files. */
interface KeptImage extends ImageConfig {
  readonly bytes?: number;
}

export class ImageStore {
  private readonly options: ImageStoreOptions;
  private readonly used = new Map<string, number>();
  /** One fetch for all that ask for an image meanwhile. */
  private readonly underWay = new Map<string, Promise<Image>>();
  private removing: Promise<unknown> = Promise.resolve();

  constructor(options: ImageStoreOptions) {
    this.options = options;
    mkdirSync(options.folder, { recursive: true, mode: 0o711 });
    // What a killed agent was in the middle of.
    for (const name of readdirSync(options.folder)) if (name.startsWith(".")) this.remove(name);
  }

  /** Ready to be run, and kept until it is released. */
  async take(text: string): Promise<Image> {
    const reference = readImageReference(text);
    const id = reference.digest.slice("sha256:".length);
    this.hold(id);
    try {
      const found = this.underWay.get(id) ?? this.bring(reference, id);
      this.underWay.set(id, found);
      return await found;
    } catch (error) {
      this.release(id);
      throw new Error(`The image ${text} cannot be used: ${reasonOf(error)}`, { cause: error });
    } finally {
      this.underWay.delete(id);
    }
  }

  /** One that was taken. */
  known(id: string): Image {
    const image = this.kept(id);
    if (image === undefined) throw new Error(`The image ${id} is gone.`);
    return image;
  }

  /** Also for a process of an earlier agent. */
  hold(id: string): void {
    this.used.set(id, (this.used.get(id) ?? 0) + 1);
  }

  release(id: string): void {
    const others = (this.used.get(id) ?? 0) - 1;
    if (others > 0) {
      this.used.set(id, others);
      return;
    }
    this.used.delete(id);
    touch(join(this.options.folder, id));
    this.collect();
  }

  /** Everything that was to be removed is gone. */
  async settled(): Promise<void> {
    await this.removing;
  }

  private async bring(reference: ImageReference, id: string): Promise<Image> {
    const kept = this.kept(id);
    if (kept !== undefined) return kept;
    const making = join(this.options.folder, `.${id}-${randomBytes(4).toString("hex")}`);
    mkdirSync(making, { mode: 0o711 });
    try {
      const layout = await this.layoutOf(reference, making);
      const blobs = new BlobStore(layout);
      const manifest = await manifestOf(blobs, reference.digest);
      const config = await configOf(blobs, manifest);
      const bytes = await unpack(blobs, manifest, join(making, "root"));
      const written: KeptImage = { ...config, bytes };
      writeFileSync(join(making, "config.json"), JSON.stringify(written));
      rmSync(join(making, "layout"), { recursive: true, force: true });
      renameSync(making, join(this.options.folder, id));
      this.collect();
      return { id, root: join(this.options.folder, id, "root"), config };
    } catch (error) {
      rmSync(making, { recursive: true, force: true });
      throw error;
    }
  }

  private kept(id: string): Image | undefined {
    const folder = join(this.options.folder, id);
    try {
      const { user, env, workingDir } = readKept(folder);
      touch(folder);
      return { id, root: join(folder, "root"), config: { user, env, workingDir } };
    } catch {
      return undefined;
    }
  }

  private async layoutOf(reference: ImageReference, making: string): Promise<string> {
    const { sources } = this.options;
    const { from, name, digest } = reference;
    if (from !== "registry" && sources === undefined)
      throw new Error("This node has no directory of images: start its agent with --images.");
    const layout = join(making, "layout");
    mkdirSync(layout, { mode: 0o700 });
    if (from === "layout") return join(sources ?? "", name);
    if (from === "archive") {
      const file = createReadStream(join(sources ?? "", name));
      await readTar(file, new LayerWriter(layout, imageBudget()));
      return layout;
    }
    const [host = ""] = name.split("/");
    const { registries, authFile } = this.options;
    if (registries !== undefined && !registries.includes(host))
      throw new Error(
        `This node takes no images from ${host}, only from ${registries.join(", ")}.`,
      );
    await fetchImage({ name, digest, layout, authFile });
    return layout;
  }

  /** The one that was used longest ago first, and none that a replica uses. */
  private collect(): void {
    const { imagesKept, imageCacheBytes } = AGENT_LIMITS;
    const { cacheBytes = imageCacheBytes.value, note } = this.options;
    const all = this.names().map((name) => this.sizeOf(name));
    const idle = all
      .filter(({ name }) => !this.used.has(name))
      .toSorted((a, b) => a.usedMs - b.usedMs);
    let bytes = all.reduce((sum, each) => sum + each.bytes, 0);
    let count = idle.length;
    for (const each of idle) {
      if (count <= imagesKept.value && bytes <= cacheBytes) return;
      this.remove(each.name);
      count -= 1;
      bytes -= each.bytes;
      const since = new Date(each.usedMs).toISOString();
      note?.(
        `removed the image sha256:${each.name} (${inMiB(each.bytes)}), which no replica used since ${since}: images have ${inMiB(bytes)} of ${inMiB(cacheBytes)}`,
      );
    }
  }

  private sizeOf(name: string): { name: string; bytes: number; usedMs: number } {
    const folder = join(this.options.folder, name);
    const usedMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    try {
      return { name, bytes: readKept(folder).bytes ?? 0, usedMs };
    } catch {
      return { name, bytes: 0, usedMs };
    }
  }

  private names(): readonly string[] {
    return readdirSync(this.options.folder).filter((name) => !name.startsWith("."));
  }

  /** At once under its name, so that none is found half removed; the rest takes its time. */
  private remove(name: string): void {
    const gone = join(this.options.folder, `.gone-${randomBytes(4).toString("hex")}`);
    renameSync(join(this.options.folder, name), gone);
    this.removing = this.removing.then(() =>
      rm(gone, { recursive: true, force: true }).catch(() => undefined),
    );
  }
}

const inMiB = (bytes: number): string => `${Math.ceil(bytes / MIB)}Mi`;

const readKept = (folder: string): KeptImage =>
  JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as KeptImage;

/** Now it was used. */
function touch(folder: string): void {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // One that could not be brought is not there.
  }
}

async function configOf(blobs: BlobStore, { config }: Manifest): Promise<ImageConfig> {
  if (config === undefined) throw new Error("Its manifest names no configuration.");
  const written = await blobs.json<WrittenConfig>(config);
  const { User = "", Env = [], WorkingDir = "" } = written.config ?? {};
  return { user: textOf(User), env: Env.map(textOf), workingDir: textOf(WorkingDir) };
}

/** Answers how many bytes it takes of the disk, about. */
async function unpack(blobs: BlobStore, { layers = [] }: Manifest, root: string): Promise<number> {
  mkdirSync(root, { mode: 0o755 });
  const budget = imageBudget();
  const whole = { ...budget };
  for (const layer of layers) await unpackLayer(blobs, layer, root, budget);
  const places = new LayerWriter(root, { entries: PLACES.length + 2, bytes: 0 });
  for (const path of PLACES) places.begin({ path, type: "5", mode: 0o755, size: 0, link: "" });
  return whole.bytes - budget.bytes + FILE_BYTES * (whole.entries - budget.entries);
}

async function unpackLayer(
  blobs: BlobStore,
  layer: Descriptor,
  root: string,
  budget: Budget,
): Promise<void> {
  const handle = await blobs.open(layer, AGENT_LIMITS.imageBytes.value);
  try {
    const bytes = handle.createReadStream({ start: 0, autoClose: false });
    const open = openLayer(bytes, layer.mediaType ?? "");
    try {
      await readTar(open.stream, new LayerWriter(root, budget));
      await open.ended;
    } finally {
      open.close();
    }
  } finally {
    await handle.close();
  }
}

function reasonOf(error: unknown): string {
  const { stderr = "" } = error as { readonly stderr?: string | Buffer };
  const [said = ""] = stderr.toString().trim().split("\n").slice(-1);
  return said === "" ? (error instanceof Error ? error.message : String(error)) : said;
}

/** What stands in an image may be anything. */
function textOf(said: unknown): string {
  if (typeof said === "string") return said;
  throw new Error("Its configuration has something else than text.");
}
