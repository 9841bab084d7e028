/**
 * Keeps a log within its size, where a process writes into the file itself: the children of `berth
 * up`, and replicas that an older agent started. The file is copied and emptied; a line written in
 * between may be lost.
 */
import { constants } from "node:fs";
import { AGENT_LIMITS } from "../agent-limits.ts";
import { copyFile, open, rename, stat, truncate } from "node:fs/promises";

/** Of the present file and of the one before it each. */
export const LOG_BYTES = AGENT_LIMITS.logBytes.value;

/** The older file ends where the new one begins. */
export async function rotateLog(file: string, limitBytes = LOG_BYTES): Promise<void> {
  const size = await sizeOf(file);
  if (size <= limitBytes) return;
  const older = `${file}.1`;
  const copy = `${older}.new`;
  if (size <= 2 * limitBytes) await copyFile(file, copy, constants.COPYFILE_FICLONE);
  // A process that writes faster than we look must not fill the disk with its copy.
  else await copyEnd(file, copy, { from: size - limitBytes, bytes: limitBytes });
  await truncate(file, 0);
  await rename(copy, older);
}

async function copyEnd(
  file: string,
  copy: string,
  { from, bytes }: { readonly from: number; readonly bytes: number },
): Promise<void> {
  const source = await open(file, "r");
  try {
    const buffer = Buffer.alloc(bytes);
    const { bytesRead } = await source.read(buffer, 0, bytes, from);
    const target = await open(copy, "w", 0o600);
    try {
      await target.write(buffer, 0, bytesRead);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Zero where there is none. */
export async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}
