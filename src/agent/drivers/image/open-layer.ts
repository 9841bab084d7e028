/** The files of a layer as a stream of tar, however the layer is compressed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Transform } from "node:stream";
import zlib from "node:zlib";
import { passedOn } from "../../process/passed-on.ts";
import { findTool } from "../find-tool.ts";

export interface OpenLayer {
  readonly stream: Readable;
  /** Rejects if the end was none, such as that of a decompressor that failed. */
  readonly ended: Promise<unknown>;
  /** Nothing more of it is wanted. */
  close(): void;
}

const NO_ZSTD =
  "A layer is compressed by zstd, and its node cannot unpack that: it lacks zstd (Debian: zstd).";

export function openLayer(bytes: Readable, mediaType: string, find = findTool): OpenLayer {
  if (mediaType.endsWith("zstd")) return unpackZstd(bytes, find);
  if (!mediaType.endsWith("gzip")) return plain(bytes);
  return through(bytes, zlib.createGunzip());
}

const plain = (stream: Readable): OpenLayer => ({
  stream,
  ended: Promise.resolve(),
  close: () => stream.destroy(),
});

function through(bytes: Readable, unpacked: Transform): OpenLayer {
  bytes.once("error", (error) => unpacked.destroy(error));
  const stream = bytes.pipe(unpacked);
  const close = (): void => {
    bytes.destroy();
    stream.destroy();
  };
  return { stream, ended: Promise.resolve(), close };
}

async function wholeEndOf(child: ChildProcess): Promise<void> {
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error("A layer is no whole stream of zstd.");
}

/** Node has it from version 22.15 on. */
const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => Transform };

function unpackZstd(bytes: Readable, find: typeof findTool): OpenLayer {
  if (createZstdDecompress !== undefined) return through(bytes, createZstdDecompress());
  const program = find("zstd");
  if (program === undefined) throw new Error(NO_ZSTD);
  const child = spawn(program, ["--decompress", "--stdout", "--quiet"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: passedOn(),
  });
  bytes.once("error", (error) => child.stdout.destroy(error));
  // It may end before it has read everything; its exit code says whether that was right.
  child.stdin.on("error", () => undefined);
  bytes.pipe(child.stdin);
  const ended = wholeEndOf(child);
  // Also where the files ended the reading first.
  ended.catch(() => undefined);
  const close = (): void => {
    bytes.destroy();
    child.kill("SIGKILL");
  };
  return { stream: child.stdout, ended, close };
}
