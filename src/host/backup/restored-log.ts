/**
 * What a restored log holds. A restored plane is older than the world: agents, watchers and
 * controllers may have seen revisions and epochs that are not in the backup. None of them may ever
 * be given again for something else, so the new log goes on far beyond them.
 */
import { assert } from "../../core/model/assert.ts";
import { takeSnapshot } from "../../core/commit/snapshot.ts";
import { operationId } from "../../core/model/ids.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { KeptFold } from "../check/kept-fold.ts";
import { encodeBatch } from "../store/batch-encoding.ts";
import { type ChainHead, linked } from "../store/chain-link.ts";
import type { KeptBatch, KeptBounds, KeptPart } from "./kept-log.ts";

/**
 * Agents refuse a plane of an earlier epoch than they have obeyed. Every start and every change of
 * leadership takes one, so this is one a second for eleven days after the backup.
 */
export const EPOCH_STEP = 1_000_000;

/**
 * Views refuse a list that is older than they are, and uids are made of revisions. At a thousand
 * commits a second, which is more than a plane keeps up for long, this is eleven days after the
 * backup.
 */
export const REVISION_LEAP = 1_000_000_000;

export interface RestoredLog {
  readonly bounds: KeptBounds;
  readonly snapshots: readonly Snapshot[];
  /** What the first batch after it hangs on, where no batch is restored that would say it. */
  readonly link?: ChainHead | undefined;
  batches(): AsyncIterable<KeptBatch>;
}

/** Who made the log, of what, for the audit of the plane that will lead it. */
export interface RestoredBy {
  /** The user of the operating system. */
  readonly user: string;
  readonly atMs: number;
  /** The backup, in words. */
  readonly from: string;
}

/** One snapshot of where the backup ends, under a revision that no client has seen. */
export function leapt({ ledger, bounds, chain }: KeptFold, by: RestoredBy): RestoredLog {
  assert(ledger !== undefined && bounds !== undefined, "The restored backup is incomplete.");
  const end = bounds.end + REVISION_LEAP;
  const oldest = end - 1;
  const snapshot = { ...takeSnapshot(ledger), revision: oldest };
  const note = noteOf(by, { revision: end, epoch: ledger.epoch, basis: bounds.end });
  return {
    bounds: { epoch: bounds.epoch + EPOCH_STEP, oldest, end },
    snapshots: [snapshot],
    link: chain.head,
    batches: () => batchesIn(none(), batchOf(note, chain.head)),
  };
}

/**
 * Everything as it was, for a log whose plane was stopped before the backup and has not run since.
 */
export function moved(
  { ledger, snapshots, bounds, chain }: KeptFold,
  parts: () => AsyncIterable<KeptPart>,
  by: RestoredBy,
): RestoredLog {
  assert(ledger !== undefined && bounds !== undefined, "The restored backup is incomplete.");
  const end = bounds.end + 1;
  const note = noteOf(by, { revision: end, epoch: ledger.epoch, basis: bounds.end });
  return {
    bounds: { ...bounds, epoch: bounds.epoch + EPOCH_STEP, end },
    snapshots,
    link: bounds.end === bounds.oldest ? chain.head : undefined,
    batches: () => batchesIn(parts(), batchOf(note, chain.head)),
  };
}

/** A commit of its own at the end of the log: the audit shows it, and the chain covers it (BK9). */
function noteOf(
  { user, atMs, from }: RestoredBy,
  of: Pick<Commit, "revision" | "epoch" | "basis">,
): Commit {
  return {
    ...of,
    atMs,
    operation: operationId(`restore/${of.revision}/${atMs}`),
    actor: { role: "user", name: user, by: { kind: "local" } },
    command: "restore",
    evidence: { kind: "person", name: user, statement: from },
    changes: [],
  };
}

function batchOf(note: Commit, head: ChainHead | undefined): KeptBatch {
  const { revision, epoch } = note;
  return { first: revision, last: revision, epoch, body: linked(head?.hash, encodeBatch([note])) };
}

async function* none(): AsyncGenerator<KeptPart> {
  // There are none.
}

async function* batchesIn(
  parts: AsyncIterable<KeptPart>,
  last: KeptBatch,
): AsyncGenerator<KeptBatch> {
  for await (const part of parts) if (part.kind === "batch") yield part.batch;
  yield last;
}

/** The store has something in it already. The message says what, and what to do. */
export class StoreNotEmpty extends Error {
  override readonly name = "StoreNotEmpty";
}
