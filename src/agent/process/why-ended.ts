/** Why a process ended, for people; undefined when its exit code says all there is. */
import type { GuardedProcess } from "./guarded-process.ts";
import { UNSEEN_END } from "./process-folder.ts";

const UNSEEN_REASON = "its process ended together with its shim; its exit code is unknown";

export function whyEnded(process: GuardedProcess, code: number): string | undefined {
  // A process that ended well in spite of it has dealt with it.
  if (code === 0) return undefined;
  const { outOfMemory, forcedStop, failedForks, diskTrouble, startTrouble } = process.folder;
  const unseen = code === UNSEEN_END ? UNSEEN_REASON : undefined;
  return (
    outOfMemory ??
    forcedStop ??
    failedForks ??
    diskTrouble ??
    unseen ??
    (process.isStopping ? undefined : startTrouble)
  );
}
