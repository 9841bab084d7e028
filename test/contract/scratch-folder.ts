/**
 * A folder for a test's logs, in memory where the system has such a place: what these tests look at does not
 * depend on how long a disk takes, and a busy disk would make them slow. Gone when the test file is done.
 */
import { accessSync, constants, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { removeFolder } from "../builders/remove-folder.ts";

const IN_MEMORY = "/dev/shm";

export function scratchFolder(): string {
  const folder = mkdtempSync(join(isWritable(IN_MEMORY) ? IN_MEMORY : tmpdir(), "berth-test-"));
  afterAll(() => removeFolder(folder));
  return folder;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
