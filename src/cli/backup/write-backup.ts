/**
 * Writes a backup beside its place, makes it durable, reads it back, and only then gives it its
 * name: whatever has the name is whole.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { UserError } from "../../shell/errors.ts";
import { readBackup, type ReadBackup } from "./read-backup.ts";

export interface WrittenBackup extends ReadBackup {
  readonly bytes: number;
}

/** It holds what workloads are started with, and that may be secret. */
const OWNER_ONLY = 0o600;

export async function writeBackup(
  out: string,
  content: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<WrittenBackup> {
  const making = `${out}.${process.pid}.part`;
  try {
    await writeDurably(out, making, content, onBytes);
    const read = await readBackup(making);
    const { size: bytes } = statSync(making);
    naming(out, () => {
      renameSync(making, out);
      syncFolder(dirname(out));
    });
    return { ...read, bytes };
  } catch (error) {
    rmSync(making, { force: true });
    throw error;
  }
}

async function writeDurably(
  out: string,
  making: string,
  content: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const file = naming(out, () => openSync(making, "wx", OWNER_ONLY));
  try {
    let bytes = 0;
    for await (const piece of content) {
      naming(out, () => writeAll(file, piece));
      bytes += piece.length;
      onBytes(bytes);
    }
    naming(out, () => fsyncSync(file));
  } finally {
    closeSync(file);
  }
}

/** A disk that is nearly full takes a part and says nothing. */
function writeAll(file: number, piece: Uint8Array): void {
  for (let at = 0; at < piece.length;) at += writeSync(file, piece, at);
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** What the system says about the file, as a mistake to correct. */
function naming<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("unwritable-file", `${reason}.`, { file });
  }
}
