/**
 * The blobs of an OCI image layout, each verified by its digest before a byte of it is used. The
 * open file is what was hashed: another file in its place changes nothing.
 */
import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { constants } from "node:fs";
import { join } from "node:path";
import { AGENT_LIMITS } from "../../agent-limits.ts";

export interface Descriptor {
  readonly digest: string;
  readonly mediaType?: string;
  readonly platform?: { readonly os?: string; readonly architecture?: string };
}

const HEX = /^sha256:([0-9a-f]{64})$/;
const PART_BYTES = 2 ** 20;

export class BlobStore {
  private readonly folder: string;

  constructor(layout: string) {
    this.folder = join(layout, "blobs", "sha256");
  }

  /** Open, verified, and read from its beginning next; its file cannot be replaced any more. */
  async open({ digest }: Descriptor, mostBytes: number): Promise<FileHandle> {
    const hex = HEX.exec(digest)?.[1];
    if (hex === undefined) throw new Error(`${JSON.stringify(digest)} is no digest of SHA-256.`);
    const handle = await this.find(hex);
    try {
      const { size } = await handle.stat();
      if (size > mostBytes) throw new Error(`${digest} has ${size} bytes, more than ${mostBytes}.`);
      const found = await hashOf(handle);
      if (found !== hex) throw new Error(`${digest} has other content: its digest is ${found}.`);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async json<T>(of: Descriptor): Promise<T> {
    const handle = await this.open(of, AGENT_LIMITS.imageJsonBytes.value);
    try {
      const { size } = await handle.stat();
      const { buffer } = await handle.read(Buffer.alloc(size), 0, size, 0);
      return JSON.parse(buffer.toString("utf8")) as T;
    } finally {
      await handle.close();
    }
  }

  private async find(hex: string): Promise<FileHandle> {
    const file = join(this.folder, hex);
    try {
      return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch (error) {
      throw new Error(`The image lacks its part sha256:${hex}.`, { cause: error });
    }
  }
}

async function hashOf(handle: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  const part = Buffer.alloc(PART_BYTES);
  for (let at = 0; ;) {
    const { bytesRead } = await handle.read(part, 0, PART_BYTES, at);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(part.subarray(0, bytesRead));
    at += bytesRead;
  }
}
