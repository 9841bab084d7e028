/**
 * Replaces a file so that a crash at any moment leaves the old content or the new, never a part:
 * write beside it, make that durable, rename, make the rename durable.
 */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** The default keeps what a replica was given from other users of the machine. */
const OWNER_ONLY = 0o600;

/** Synchronous on purpose: whatever the caller does next, it does after the content is on disk. */
export function writeDurably(file: string, text: string): void {
  const beside = `${file}.new`;
  const descriptor = openSync(beside, "w", OWNER_ONLY);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(beside, file);
  syncFolder(dirname(file));
}

/** Without this a crash may bring the old name back. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
