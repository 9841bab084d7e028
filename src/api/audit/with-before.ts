/**
 * A commit of the store does not say what it replaced. That is what an older commit of the same
 * object wrote, and is looked for as far back as is worth while; a missing one is told in fewer
 * words.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey, Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { isMadeAt, type PastLog } from "../../host/past-log.ts";
import type { StoredCommit } from "../../host/store/log-store.ts";

/** Read at once: about a megabyte. */
const PAGE = 1_000;
/**
 * Beyond the oldest that is told of: some tens of milliseconds, in which most of what changes at
 * all has changed.
 */
const LOOKED_AT = 4_000;

/** Of one object, newest first. */
type Values = Map<ObjectKey, { readonly at: Revision; readonly after: AnyObject | undefined }[]>;

/** Both newest first. */
export async function withBefore(
  past: PastLog,
  stored: readonly StoredCommit[],
): Promise<readonly Commit[]> {
  const wanted = new Set<ObjectKey>();
  for (const { revision, changes } of stored) {
    for (const { key, after } of changes) if (!isMadeAt(after, revision)) wanted.add(key);
  }
  const values = await valuesOf(past, stored, wanted);
  return stored.map((commit) => ({
    ...commit,
    changes: commit.changes.map(({ key, after }) => {
      const isMade = isMadeAt(after, commit.revision);
      const older = isMade ? undefined : values.get(key)?.find(({ at }) => at < commit.revision);
      return { key, before: older?.after, after };
    }),
  }));
}

async function valuesOf(
  past: PastLog,
  stored: readonly StoredCommit[],
  wanted: ReadonlySet<ObjectKey>,
): Promise<Values> {
  const values: Values = new Map();
  const oldest = stored.at(-1)?.revision ?? 0;
  const open = new Set(wanted);
  const lowest = Math.max(0, oldest - LOOKED_AT);
  let to = (stored[0]?.revision ?? 0) - 1;
  while (to > lowest && open.size > 0) {
    const page = await past.page(Math.max(lowest, to - PAGE), to);
    for (const { revision, changes } of page.commits.toReversed()) {
      for (const { key, after } of changes) {
        if (!wanted.has(key)) continue;
        const known = values.get(key) ?? [];
        values.set(key, known);
        known.push({ at: revision, after });
        if (revision < oldest) open.delete(key);
      }
    }
    if (page.compactedTo !== undefined) break;
    to = page.from;
  }
  return values;
}
