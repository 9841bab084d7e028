/**
 * What a restored log holds. A restored plane is older than the world: agents, watchers and
 * controllers may have seen revisions and epochs that are not in the backup. None of them may ever
 * be given again for something else, so the new log goes on far beyond them.
 */
import { assert } from "../../core/model/assert.ts";
import { takeSnapshot } from "../../core/commit/snapshot.ts";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { KeptFold } from "../check/kept-fold.ts";
import type { ChainHead } from "../store/chain-link.ts";
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

/** One snapshot of where the backup ends, under a revision that no client has seen. */
export function leapt({ ledger, bounds, chain }: KeptFold): RestoredLog {
  assert(ledger !== undefined && bounds !== undefined, "The restored backup is incomplete.");
  const end = bounds.end + REVISION_LEAP;
  const snapshot = { ...takeSnapshot(ledger), revision: end };
  return {
    bounds: { epoch: bounds.epoch + EPOCH_STEP, oldest: end, end },
    snapshots: [snapshot],
    link: chain.head,
    batches: none,
  };
}

/**
 * Everything as it was, for a log whose plane was stopped before the backup and has not run since.
 */
export function moved(
  { snapshots, bounds, chain }: KeptFold,
  parts: () => AsyncIterable<KeptPart>,
): RestoredLog {
  assert(bounds !== undefined, "The restored backup is incomplete.");
  return {
    bounds: { ...bounds, epoch: bounds.epoch + EPOCH_STEP },
    snapshots,
    link: bounds.end === bounds.oldest ? chain.head : undefined,
    batches: () => batchesIn(parts()),
  };
}

async function* none(): AsyncGenerator<KeptBatch> {
  // There are none.
}

async function* batchesIn(parts: AsyncIterable<KeptPart>): AsyncGenerator<KeptBatch> {
  for await (const part of parts) if (part.kind === "batch") yield part.batch;
}

/** The store has something in it already. The message says what, and what to do. */
export class StoreNotEmpty extends Error {
  override readonly name = "StoreNotEmpty";
}
