/**
 * The tables of a log. One row per batch, because a row per change costs ten times as much;
 * checksums stand before the bodies, so that reading them does not read the bodies.
 */
import type { Epoch, Revision } from "../../core/model/ids.ts";
import { type Checksum, CHAIN_START, chained } from "./checksum.ts";
import type { SnapshotHead } from "./snapshot-chunks.ts";

/** One row: which epoch was claimed last, and where the log begins that is still kept. */
export interface MetaRow {
  readonly epoch: Epoch;
  /** The revision before the oldest that is kept, and the checksum the oldest batch hangs on. */
  readonly oldest: Revision;
  readonly anchor: Checksum;
  /** Over the three above. */
  readonly seal: Checksum;
}

export interface BatchRow {
  readonly first: Revision;
  readonly last: Revision;
  readonly epoch: Epoch;
  readonly checksum: Checksum;
  readonly body: Uint8Array;
}

/**
 * A snapshot counts from when this row is there; chunks without one are what a crash left behind.
 */
export interface SnapshotRow {
  readonly id: number;
  readonly revision: Revision;
  readonly epoch: Epoch;
  readonly leadSinceMs: number;
  readonly chunks: number;
  readonly checksum: Checksum;
}

export interface ChunkRow {
  readonly checksum: Checksum;
  readonly body: Uint8Array;
}

const NO_BODY = new Uint8Array();

export const sealOf = ({ epoch, oldest, anchor }: Omit<MetaRow, "seal">): Checksum =>
  chained(anchor, `meta ${epoch} ${oldest}`, NO_BODY);

export const batchChecksum = (
  previous: Checksum,
  { first, last, epoch, body }: Omit<BatchRow, "checksum">,
): Checksum => chained(previous, `batch ${first} ${last} ${epoch}`, body);

export const chunkChecksum = (previous: Checksum, body: Uint8Array): Checksum =>
  chained(previous, "chunk", body);

/** The head hangs on the last chunk, so one checksum vouches for the whole snapshot. */
export const snapshotChecksum = (
  lastChunk: Checksum,
  { revision, epoch, leadSinceMs }: SnapshotHead,
): Checksum => chained(lastChunk, `snapshot ${revision} ${epoch} ${leadSinceMs}`, NO_BODY);

const emptyMeta = { epoch: 0, oldest: 0, anchor: CHAIN_START };

/** In the order of their names, and word for word what SQLite keeps of them. */
export const TABLES: readonly string[] = [
  `CREATE TABLE chunk (
    snapshot INTEGER NOT NULL,
    at INTEGER NOT NULL,
    checksum TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (snapshot, at)
  ) STRICT`,
  `CREATE TABLE log (
    first INTEGER PRIMARY KEY,
    last INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    checksum TEXT NOT NULL,
    body BLOB NOT NULL
  ) STRICT`,
  `CREATE TABLE meta (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    epoch INTEGER NOT NULL,
    oldest INTEGER NOT NULL,
    anchor TEXT NOT NULL,
    seal TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE snapshot (
    id INTEGER PRIMARY KEY,
    revision INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    leadSinceMs INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    checksum TEXT NOT NULL
  ) STRICT`,
];

export const FIRST_ROW = `INSERT INTO meta VALUES (1, 0, 0, '${CHAIN_START}', '${sealOf(emptyMeta)}')`;
