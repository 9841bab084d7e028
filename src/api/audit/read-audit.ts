/**
 * Pages of the audit trail, newest first: from the commits in memory, and what is older from the
 * store.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey, Revision } from "../../core/model/ids.ts";
import type { PastLog } from "../../host/past-log.ts";
import type { StoredCommit } from "../../host/store/log-store.ts";
import {
  type ActorKind,
  actorKindOf,
  type AuditEntry,
  auditEntry,
  isHeartbeat,
} from "./audit-entry.ts";
import { shownKey } from "../explain/commit-step.ts";
import { entrySeen } from "../access/entry-seen.ts";
import type { Sight } from "../access/sight.ts";
import type { AuditArchive } from "./audit-archive.ts";
import { withBefore } from "./with-before.ts";

export interface AuditFilter {
  readonly actor?: string;
  readonly kind?: ActorKind;
  readonly key?: ObjectKey;
  readonly command?: string;
  /** Only what changed something of this tenant. */
  readonly tenant?: string;
  /** Of the caller that asks. */
  readonly sight: Sight;
}

export interface AuditPage {
  /** How far the log had come. */
  readonly revision: Revision;
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Give it as `before` to go on; left out: there is nothing older. */
  readonly next?: Revision;
  readonly says: string;
}

/** Read from the store at once: about a megabyte. */
const STORE_PAGE = 1_000;
/**
 * Looked at for one page: renewals of leases are most of a log, and a filter may let nothing
 * through.
 */
const LOOKED_AT = 20_000;

export const isAudited = (
  commit: Pick<Commit, "actor" | "command"> & { readonly changes: StoredCommit["changes"] },
  { actor, kind, key, command, tenant, sight }: AuditFilter,
): boolean =>
  !isHeartbeat(commit) &&
  (actor === undefined || commit.actor.name === actor) &&
  (command === undefined || commit.command === command) &&
  (kind === undefined || actorKindOf(commit) === kind) &&
  (key === undefined || commit.changes.some((change) => change.key === key)) &&
  (sight.isWhole || commit.changes.some((change) => sight.seesShown(shownKey(change.key)))) &&
  (tenant === undefined || commit.changes.some((change) => isOf(tenant, shownKey(change.key))));

/** `workload/payments/api` and `tenant/payments` are of payments. */
function isOf(tenant: string, shown: string): boolean {
  const [kind, of, name] = shown.split("/");
  return of === tenant && (name !== undefined || kind === "tenant");
}

export async function readAudit(
  {
    past,
    revision,
    archive,
  }: {
    readonly past: PastLog;
    readonly revision: Revision;
    readonly archive?: AuditArchive | undefined;
  },
  { before, limit, filter }: Asked,
): Promise<AuditPage> {
  const lowest = Math.max(0, before - 1 - LOOKED_AT);
  const found: Commit[] = [];
  let at = Math.min(before - 1, revision);
  // In one turn: what is in memory now may not be in the next.
  for (; at > Math.max(past.start, lowest) && found.length < limit; at -= 1) {
    const commit = past.commit(at);
    if (commit !== undefined && isAudited(commit, filter)) found.push(commit);
  }
  const left = limit - found.length;
  const stored = await fromStore(past, { at, lowest, limit: left, filter });
  found.push(...(await withBefore(past, stored.commits)));
  const entries = found.flatMap((commit) => {
    const entry = auditEntry(commit);
    return entry === undefined ? [] : [entrySeen(entry, filter.sight)];
  });
  if (stored.compactedTo === undefined || archive === undefined) {
    return { revision, entries, ...whatIsOlder(stored) };
  }
  const oldest = Math.min(before, stored.compactedTo + 1);
  const older = await fromArchive(archive, oldest, { limit: limit - entries.length, filter });
  return { revision, entries: [...entries, ...older.entries], ...older.rest };
}

/** What was kept of what the log holds no longer. */
async function fromArchive(
  archive: AuditArchive,
  before: Revision,
  { limit, filter }: Omit<Asked, "before">,
): Promise<{
  readonly entries: readonly AuditEntry[];
  readonly rest: Pick<AuditPage, "next" | "says">;
}> {
  const { actor, kind, key, command, tenant, sight } = filter;
  const shown = key === undefined ? undefined : shownKey(key);
  const words = [actor, kind, shown, command].flatMap((text) =>
    text === undefined ? [] : [JSON.stringify(text)],
  );
  const fits = (entry: AuditEntry): boolean =>
    (actor === undefined || entry.actor.name === actor) &&
    (kind === undefined || entry.actor.kind === kind) &&
    (command === undefined || entry.command === command) &&
    (shown === undefined || entry.objects.some((object) => object.key === shown)) &&
    (sight.isWhole || entry.objects.some((object) => sight.seesShown(object.key))) &&
    (tenant === undefined || entry.objects.some((object) => isOf(tenant, object.key)));
  // One more than is asked for says whether there is more.
  const found = await archive.before(before, { limit: limit + 1, words, fits });
  const entries = found.slice(0, limit).map((entry) => entrySeen(entry, sight));
  const gone = `Revisions before ${before} were compacted; entries of people and tokens, and destructive actions, are kept.`;
  const next = found[limit];
  if (next === undefined) return { entries, rest: { says: gone } };
  return {
    entries,
    rest: {
      next: next.revision + 1,
      says: `${gone} There are more entries: continue with before=${next.revision + 1}.`,
    },
  };
}

interface Asked {
  readonly before: Revision;
  readonly limit: number;
  readonly filter: AuditFilter;
}

interface FromStore {
  /** Newest first. */
  readonly commits: readonly StoredCommit[];
  /** The newest revision that was not looked at. */
  readonly at: Revision;
  readonly compactedTo: Revision | undefined;
}

async function fromStore(
  past: PastLog,
  of: Omit<Asked, "before"> & { readonly at: Revision; readonly lowest: Revision },
): Promise<FromStore> {
  const { lowest, limit, filter } = of;
  const commits: StoredCommit[] = [];
  let { at } = of;
  while (at > lowest && commits.length < limit) {
    const page = await past.page(Math.max(lowest, at - STORE_PAGE), at);
    for (const commit of page.commits.toReversed()) {
      at = commit.revision - 1;
      if (isAudited(commit, filter)) commits.push(commit);
      if (commits.length === limit) return { commits, at, compactedTo: undefined };
    }
    at = page.from;
    if (page.compactedTo !== undefined) return { commits, at, compactedTo: page.compactedTo };
  }
  return { commits, at, compactedTo: undefined };
}

function whatIsOlder({ at, compactedTo }: FromStore): Pick<AuditPage, "next" | "says"> {
  if (compactedTo !== undefined) {
    return { says: `Revisions before ${compactedTo + 1} were compacted.` };
  }
  if (at === 0) return { says: "This is the full history." };
  return { next: at + 1, says: `There are more entries: continue with before=${at + 1}.` };
}
