/** A folder for the logs of a benchmark's planes, gone when the benchmark is, however it ends. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ScratchFolder {
  readonly path: string;
  remove(): void;
}

/**
 * `within`: on the disk that is to be measured; left out: wherever the system keeps such things.
 */
export function scratchFolder(within: string | undefined): ScratchFolder {
  const path = mkdtempSync(join(within ?? tmpdir(), "berth-bench-"));
  const clear = (): void => rmSync(path, { recursive: true, force: true });
  process.on("exit", clear);
  const remove = (): void => {
    process.off("exit", clear);
    clear();
  };
  return { path, remove };
}
