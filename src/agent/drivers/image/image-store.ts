/**
 * The images of a node, unpacked and read-only, by digest: fetched once, verified as a whole, and
 * removed when enough others were used since.
 */
import { execFile } from "node:child_process";
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
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { createGunzip } from "node:zlib";
import { AGENT_LIMITS } from "../../agent-limits.ts";
import { BlobStore, type Descriptor } from "./blob-store.ts";
import { type ImageReference, readImageReference } from "./image-reference.ts";
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

interface Manifest {
  readonly manifests?: readonly Descriptor[];
  readonly config?: Descriptor;
  readonly layers?: readonly Descriptor[];
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
const FETCH_PATIENCE_MS = 600_000;
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };
const run = promisify(execFile);

export interface ImageStoreOptions {
  readonly folder: string;
  /** Where layouts and archives are; left out: the node has none. */
  readonly sources?: string;
}

export class ImageStore {
  private readonly options: ImageStoreOptions;
  private readonly used = new Map<string, number>();
  /** One fetch for all that ask for an image meanwhile. */
  private readonly underWay = new Map<string, Promise<Image>>();

  constructor(options: ImageStoreOptions) {
    this.options = options;
    mkdirSync(options.folder, { recursive: true, mode: 0o711 });
    // What a killed agent was in the middle of.
    for (const name of this.names()) if (name.startsWith(".")) this.remove(name);
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
    if (others > 0) this.used.set(id, others);
    else this.used.delete(id);
    this.collect();
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
      await unpack(blobs, manifest, join(making, "root"));
      writeFileSync(join(making, "config.json"), JSON.stringify(config));
      rmSync(join(making, "layout"), { recursive: true, force: true });
      renameSync(making, join(this.options.folder, id));
      return { id, root: join(this.options.folder, id, "root"), config };
    } catch (error) {
      rmSync(making, { recursive: true, force: true });
      throw error;
    }
  }

  private kept(id: string): Image | undefined {
    const folder = join(this.options.folder, id);
    try {
      const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as ImageConfig;
      const now = new Date();
      utimesSync(folder, now, now);
      return { id, root: join(folder, "root"), config };
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
    // The digest is part of what is asked for, and is checked again like all others.
    const words = ["copy", "--quiet", `docker://${name}@${digest}`, `oci:${layout}:image`];
    await run("skopeo", words, { timeout: FETCH_PATIENCE_MS });
    return layout;
  }

  private collect(): void {
    const idle = this.names()
      .filter((name) => !this.used.has(name) && !name.startsWith("."))
      .map((name) => ({ name, usedMs: this.usedMs(name) }))
      .toSorted((a, b) => b.usedMs - a.usedMs);
    for (const { name } of idle.slice(AGENT_LIMITS.imagesKept.value)) this.remove(name);
  }

  private usedMs(name: string): number {
    const found = statSync(join(this.options.folder, name), { throwIfNoEntry: false });
    return found?.mtimeMs ?? 0;
  }

  private names(): readonly string[] {
    return readdirSync(this.options.folder);
  }

  private remove(name: string): void {
    rmSync(join(this.options.folder, name), { recursive: true, force: true });
  }
}

async function manifestOf(blobs: BlobStore, digest: string): Promise<Manifest> {
  const found = await blobs.json<Manifest>({ digest });
  if (found.manifests === undefined) return found;
  const own = ARCHITECTURES[process.arch];
  const fitting = found.manifests.find(
    ({ platform }) => platform?.os === "linux" && platform.architecture === own,
  );
  const [only] = found.manifests.length === 1 ? found.manifests : [];
  const chosen = fitting ?? only;
  if (chosen === undefined) throw new Error(`It has no manifest for linux/${own}.`);
  return blobs.json<Manifest>(chosen);
}

async function configOf(blobs: BlobStore, { config }: Manifest): Promise<ImageConfig> {
  if (config === undefined) throw new Error("Its manifest names no configuration.");
  const written = await blobs.json<WrittenConfig>(config);
  const { User = "", Env = [], WorkingDir = "" } = written.config ?? {};
  return { user: textOf(User), env: Env.map(textOf), workingDir: textOf(WorkingDir) };
}

async function unpack(blobs: BlobStore, { layers = [] }: Manifest, root: string): Promise<void> {
  mkdirSync(root, { mode: 0o755 });
  const budget = imageBudget();
  for (const layer of layers) await unpackLayer(blobs, layer, root, budget);
  const places = new LayerWriter(root, { entries: PLACES.length + 2, bytes: 0 });
  for (const path of PLACES) places.begin({ path, type: "5", mode: 0o755, size: 0, link: "" });
}

async function unpackLayer(
  blobs: BlobStore,
  layer: Descriptor,
  root: string,
  budget: Budget,
): Promise<void> {
  const { mediaType = "" } = layer;
  if (mediaType.endsWith("zstd"))
    throw new Error("A layer is compressed by zstd, which is not supported: use gzip.");
  const handle = await blobs.open(layer, AGENT_LIMITS.imageBytes.value);
  try {
    const bytes = handle.createReadStream({ start: 0, autoClose: false });
    const isPacked = mediaType.endsWith("gzip");
    const stream: Readable = isPacked ? bytes.pipe(createGunzip()) : bytes;
    bytes.once("error", (error) => stream.destroy(error));
    await readTar(stream, new LayerWriter(root, budget));
  } finally {
    await handle.close();
  }
}

function reasonOf(error: unknown): string {
  const { stderr } = error as { readonly stderr?: string };
  const [said = ""] = (stderr ?? "").trim().split("\n").slice(-1);
  return said === "" ? (error instanceof Error ? error.message : String(error)) : said;
}

/** What stands in an image may be anything. */
function textOf(said: unknown): string {
  if (typeof said === "string") return said;
  throw new Error("Its configuration has something else than text.");
}
