/**
 * Feeds an archive from a plane: first what the log still holds and the archive does not, then all
 * that is published.
 */
import type { PlanePort } from "../../host/plane-port.ts";
import { type ArchiveOptions, AuditArchive } from "./audit-archive.ts";
import { withBefore } from "./with-before.ts";

export interface KeptAudit {
  readonly archive: Promise<AuditArchive | undefined>;
  close(): Promise<void>;
}

/** Read from the store at once: about a megabyte. */
const PAGE = 1_000;

export function keepAudit(plane: PlanePort, options: ArchiveOptions): KeptAudit {
  const stopped = new AbortController();
  const archive = feed(plane, options, stopped.signal).catch((error: unknown) => {
    options.onTrouble(error);
    return undefined;
  });
  return {
    archive,
    close: async () => {
      stopped.abort();
      await (await archive)?.close();
    },
  };
}

async function feed(
  plane: PlanePort,
  options: ArchiveOptions,
  stopped: AbortSignal,
): Promise<AuditArchive> {
  const archive = await AuditArchive.open(options);
  for (let at = 0; at < plane.revision && !stopped.aborted;) {
    const to = Math.min(at + PAGE, plane.revision);
    const { commits, compactedTo = to } = await plane.past.page(at, to);
    const missing = commits.filter((commit) => archive.lacks(commit)).toReversed();
    if (missing.length > 0) {
      const whole = await withBefore(plane.past, missing);
      await archive.add(whole.toReversed());
    }
    at = Math.max(to, compactedTo);
  }
  if (stopped.aborted) return archive;
  // In the same turn as the last look: nothing is published between them.
  const stop = plane.onPublish((commits) => void archive.add(commits));
  stopped.addEventListener("abort", stop);
  return archive;
}
