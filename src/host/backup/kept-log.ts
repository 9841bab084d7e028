/**
 * What a store holds of a log, piece by piece and as of one moment, in words that fit every store
 * and a backup. A reader of it trusts nothing: each fault is told as a flaw in its place, and the
 * rest goes on, so that one look finds all there is to find.
 */
import type { Epoch, Revision } from "../../core/model/ids.ts";
import type { SnapshotHead } from "../store/snapshot-chunks.ts";

export interface KeptBounds {
  /** The newest epoch that was ever claimed. */
  readonly epoch: Epoch;
  /** The revision before the oldest commit that is kept. */
  readonly oldest: Revision;
  readonly end: Revision;
}

/** One batch, as `encodeBatch` made it. */
export interface KeptBatch {
  readonly first: Revision;
  readonly last: Revision;
  readonly epoch: Epoch;
  readonly body: Uint8Array;
}

/** What the flaw is one of; each is told on a line of its own. */
export type FlawKind = "storage" | "bounds" | "batches" | "revisions" | "snapshots";

export interface Flaw {
  readonly kind: FlawKind;
  /** The row or the key. */
  readonly where: string;
  readonly revision?: Revision;
  readonly found: string;
}

/** The bounds come first, then the snapshots, oldest first, then the batches in order. */
export type KeptPart =
  | { readonly kind: "log"; readonly log: KeptBounds }
  | { readonly kind: "snapshot"; readonly head: SnapshotHead }
  /** Of the snapshot that was told last, as `snapshotChunks` made it. */
  | { readonly kind: "chunk"; readonly body: Uint8Array }
  | { readonly kind: "snapshot-end"; readonly isWhole: boolean }
  | { readonly kind: "batch"; readonly batch: KeptBatch }
  | { readonly kind: "flaw"; readonly flaw: Flaw };

export type KeptParts = Iterable<KeptPart> | AsyncIterable<KeptPart>;

/** The store moved on under the reader, who has to begin anew. */
export class LogMovedOn extends Error {
  override readonly name = "LogMovedOn";
}

export const flawed = (flaw: Flaw): KeptPart => ({ kind: "flaw", flaw });
