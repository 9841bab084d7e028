/**
 * The built dashboard, held in memory: a page that was loaded finds its other files even when the
 * folder has been built anew meanwhile. Each file is compressed once, when somebody first asks for
 * it so.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export interface WebFile {
  readonly type: string;
  /** Of what it says, so that it changes with it and with nothing else. */
  readonly hash: string;
  encoded(encoding: WebEncoding): Promise<Buffer>;
}

export type WebEncoding = "br" | "gzip" | "identity";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".png": "image/png",
};

/** Beside the bundle, or where the build puts it when the sources themselves run. */
const PLACES = ["./web", "../../../dist/web"] as const;

export class WebFiles {
  private readonly folder: string | undefined;
  private files: ReadonlyMap<string, WebFile> | undefined;

  /** Left out: the dashboard that was built with this plane. */
  constructor(folder?: string) {
    this.folder = folder;
  }

  /**
   * By its path from the folder, such as `assets/index-1.js`. Undefined when there is none, or no
   * dashboard at all.
   */
  get(path: string): WebFile | undefined {
    // Looked for again until it is there: it may be built while the plane runs.
    this.files ??= readFiles(this.folder ?? ownFolder());
    return this.files?.get(path);
  }
}

function ownFolder(): string | undefined {
  const folders = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(join(folder, "index.html")));
}

function readFiles(folder: string | undefined): ReadonlyMap<string, WebFile> | undefined {
  if (folder === undefined || !existsSync(join(folder, "index.html"))) return undefined;
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(
    files.map((name) => [name.replaceAll("\\", "/"), readWebFile(join(folder, name))]),
  );
}

function readWebFile(path: string): WebFile {
  const bytes = readFileSync(path);
  const made = new Map<WebEncoding, Promise<Buffer>>();
  return {
    type: TYPES[extname(path)] ?? "application/octet-stream",
    hash: createHash("sha256").update(bytes).digest("base64url").slice(0, 22),
    encoded: (encoding) => {
      const before = made.get(encoding);
      if (before !== undefined) return before;
      const now = encode(bytes, encoding);
      made.set(encoding, now);
      return now;
    },
  };
}

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/** Off the thread that serves. A file is compressed once, so as well as can be. */
function encode(bytes: Buffer, encoding: WebEncoding): Promise<Buffer> {
  switch (encoding) {
    case "br":
      return toBrotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
    case "gzip":
      return toGzip(bytes, { level: constants.Z_BEST_COMPRESSION });
    case "identity":
      return Promise.resolve(bytes);
    default:
      return encoding satisfies never;
  }
}
