/**
 * A backup as one file. A line that says what it is, then sections: one line of JSON that a person
 * can read, the packed body, and a line's end. Each section's checksum hangs on the one before, so
 * a section that is missing, repeated or changed is noticed, and that of the last section vouches
 * for the whole file.
 */
import { Buffer } from "node:buffer";
import type { Revision } from "../../core/model/ids.ts";
import { FORMATS } from "../formats.ts";
import { type Checksum, chained } from "../store/checksum.ts";
import type { Encoding } from "../store/etcd/compression.ts";
import type { SnapshotHead } from "../store/snapshot-chunks.ts";
import type { KeptBatch, KeptBounds } from "./kept-log.ts";

export const FIRST_WORDS = "BERTH BACKUP ";
export const firstLine = (): Uint8Array => Buffer.from(`${FIRST_WORDS}${FORMATS.backup.written}\n`);

/** Where the copy was made and by what; for people. */
export interface BackupOrigin {
  /** RFC 3339. */
  readonly madeAt: string;
  /** The version of Berth. */
  readonly by: string;
  /** "sqlite" or "etcd". */
  readonly store: string;
}

/** Several batches in one section: most are a single commit, which packs badly by itself. */
export type BatchPlace = readonly [
  KeptBatch["first"],
  KeptBatch["last"],
  KeptBatch["epoch"],
  number,
];

export type SectionHead =
  | { readonly kind: "log"; readonly log: KeptBounds; readonly origin: BackupOrigin }
  | { readonly kind: "snapshot"; readonly head: SnapshotHead }
  | { readonly kind: "chunk" }
  | { readonly kind: "snapshot-end"; readonly isWhole: boolean }
  /** First and last revision, epoch and length of each, one behind the other in the body. */
  | { readonly kind: "batches"; readonly batches: readonly BatchPlace[] }
  | { readonly kind: "end"; readonly sections: number; readonly end: Revision };

export interface SectionLine {
  readonly head: SectionHead;
  readonly encoding: Encoding;
  /** Of the body as it lies in the file. */
  readonly bytes: number;
  readonly checksum: Checksum;
}

export const sectionChecksum = (
  previous: Checksum,
  { head, encoding }: Pick<SectionLine, "head" | "encoding">,
  body: Uint8Array,
): Checksum => chained(previous, `section ${encoding} ${JSON.stringify(head)}`, body);
