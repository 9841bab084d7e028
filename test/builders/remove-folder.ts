import { rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const LOOKS = 100;
const LOOK_MS = 100;

/**
 * Removes the folder of a test whose processes may still write into it: one that was killed leaves
 * its exit code a moment later. `rmSync` with `maxRetries` does not do: it lists a folder once, and
 * then only tries again to remove what is no longer empty.
 */
export async function removeFolder(folder: string): Promise<void> {
  for (let look = 1; ; look++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (look === LOOKS || (code !== "ENOTEMPTY" && code !== "EBUSY")) throw error;
      await wait(LOOK_MS);
    }
  }
}
