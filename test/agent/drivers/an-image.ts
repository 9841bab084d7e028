/** Makes OCI layouts: of programs of this machine, and of entries that a test names. */
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

const PROGRAMS =
  "sh bash cat cmp false grep head id ls mkdir rm setsid sleep stat touch tr true wc".split(" ");

export interface Packing {
  readonly pack: (layer: Buffer) => Buffer;
  /** What the manifest says of it. */
  readonly suffix: string;
}
const GZIP: Packing = { pack: gzipSync, suffix: "gzip" };
export const ZSTD: Packing = {
  pack: (layer) => execFileSync("zstd", ["-q", "-c"], { input: layer, maxBuffer: 2 ** 28 }),
  suffix: "zstd",
};

/** Writes a layout below the folder and returns how a template names it. */
export function layoutOf(
  folder: string,
  name: string,
  layers: readonly Buffer[],
  { pack, suffix }: Packing = GZIP,
): string {
  const layout = join(folder, name);
  mkdirSync(join(layout, "blobs", "sha256"), { recursive: true });
  const add = (bytes: Buffer, mediaType: string) => {
    const hex = createHash("sha256").update(bytes).digest("hex");
    writeFileSync(join(layout, "blobs", "sha256", hex), bytes);
    return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
  };
  const json = (object: object, mediaType: string) =>
    add(Buffer.from(JSON.stringify(object)), mediaType);
  const type = "application/vnd.oci.image";
  const config = json(
    { config: { Env: ["FROM_IMAGE=yes"], User: "7:8" } },
    `${type}.config.v1+json`,
  );
  const made = layers.map((bytes) => add(pack(bytes), `${type}.layer.v1.tar+${suffix}`));
  const manifest = json({ schemaVersion: 2, config, layers: made }, `${type}.manifest.v1+json`);
  writeFileSync(join(layout, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
  return `layout:${name}@${manifest.digest}`;
}

/** A layer with a shell and some programs, and the libraries that they load. */
export function programsLayer(): Buffer {
  const root = mkdtempSync(join(tmpdir(), "berth-layer-"));
  try {
    for (const name of PROGRAMS) {
      const from = realpathSync(execFileSync("which", [name], { encoding: "utf8" }).trim());
      const to = join(root, "bin", name);
      mkdirSync(dirname(to), { recursive: true });
      cpSync(from, to, { dereference: true });
      const loaded = execFileSync("ldd", [from], { encoding: "utf8" });
      for (const [library] of loaded.matchAll(/\/\S+/g)) {
        mkdirSync(join(root, dirname(library)), { recursive: true });
        cpSync(library, join(root, library), { dereference: true });
      }
    }
    return execFileSync("tar", ["-c", "--format=ustar", "-C", root, "."], { maxBuffer: 2 ** 28 });
  } finally {
    rmSync(root, { recursive: true });
  }
}

export interface Entry {
  readonly path: string;
  readonly type?: string;
  readonly link?: string;
  readonly text?: string;
  readonly mode?: string;
}

/** A layer of just these, as a tool that means harm would write it. */
export const layerOf = (...entries: readonly Entry[]): Buffer =>
  Buffer.concat([...entries.map(bytesOf), Buffer.alloc(1024)]);

function bytesOf({ path, type = "0", link = "", text = "", mode = "644" }: Entry): Buffer {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write(mode.padStart(7, "0"), 100);
  header.write("0000000", 108);
  header.write("0000000", 116);
  header.write(text.length.toString(8).padStart(11, "0"), 124);
  header.write("00000000000", 136);
  header.fill(" ", 148, 156);
  header.write(type, 156);
  header.write(link, 157);
  header.write("ustar\u000000", 257);
  let sum = 0;
  for (const byte of header) sum += byte;
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const content = Buffer.alloc(Math.ceil(text.length / 512) * 512);
  content.write(text);
  return Buffer.concat([header, content]);
}
