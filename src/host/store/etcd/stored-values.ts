/**
 * The small values beside the batches, as JSON that a person can read, and checked when they are
 * read back.
 */
import { Buffer } from "node:buffer";
import type { Epoch, Revision } from "../../../core/model/ids.ts";
import { FORMATS, whyUnread } from "../../formats.ts";
import type { KeyValue } from "../../etcd/etcd-api.ts";
import type { ChainHead } from "../chain-link.ts";
import { type Checksum, CHAIN_START, chained } from "../checksum.ts";
import type { Leader } from "../shared-log.ts";
import type { SnapshotHead } from "../snapshot-chunks.ts";
import { damaged, unreadFormat } from "./etcd-log-errors.ts";
import type { Attempt } from "./log-layout.ts";

/** Where the log ends, and what the next batch hangs on. */
export interface Head {
  readonly revision: Revision;
  readonly checksum: Checksum;
}

/** The revision before the oldest that is kept, and the checksum that the oldest batch hangs on. */
export interface Meta {
  readonly oldest: Revision;
  readonly anchor: Checksum;
}

/** What vouches for a snapshot, and where its pieces are. */
export interface SnapshotMark extends SnapshotHead {
  readonly at: Attempt;
  readonly pieces: number;
  readonly checksum: Checksum;
  /**
   * What the next batch hangs on, where this is a snapshot of the very end. The seal leaves it out:
   * older versions do not know it.
   */
  readonly link?: ChainHead;
}

export const EMPTY_HEAD: Head = { revision: 0, checksum: CHAIN_START };
export const EMPTY_META: Meta = { oldest: 0, anchor: CHAIN_START };

export const valueOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

export const epochValue = (epoch: Epoch): Uint8Array => valueOf({ epoch });
export const leaderValue = ({ epoch, name, url }: Leader): Uint8Array =>
  valueOf({ epoch, name, url });
export const headValue = ({ revision, checksum }: Head): Uint8Array =>
  valueOf({ revision, checksum });
export const metaValue = (meta: Meta): Uint8Array =>
  valueOf({
    format: FORMATS.etcdLog.written,
    oldest: meta.oldest,
    anchor: meta.anchor,
    seal: sealOf(meta),
  });
export const snapshotMarkValue = (mark: SnapshotMark): Uint8Array =>
  valueOf({ ...mark, seal: markSeal(mark) });

const NO_BODY = new Uint8Array();
const sealOf = ({ oldest, anchor }: Meta): Checksum => chained(anchor, `meta ${oldest}`, NO_BODY);
/** The mark hangs on the last piece, so one checksum vouches for the whole snapshot. */
const markSeal = ({ revision, epoch, leadSinceMs, at, pieces, checksum }: SnapshotMark): Checksum =>
  chained(
    checksum,
    `snapshot ${revision} ${epoch} ${leadSinceMs} ${at.epoch} ${at.attempt} ${pieces}`,
    NO_BODY,
  );

export function readEpoch(kv: KeyValue | undefined): Epoch {
  if (kv === undefined) return 0;
  const { epoch } = parsed(kv) as { readonly epoch?: unknown };
  if (Number.isSafeInteger(epoch) && Number(epoch) > 0) return Number(epoch);
  throw damaged(text(kv), "there is no epoch");
}

/** Only tells people and planes where to turn, so one that cannot be read is as good as none. */
export function readLeader(kv: KeyValue | undefined): Leader | undefined {
  try {
    const { epoch, name, url } = (kv === undefined ? {} : parsed(kv)) as Partial<Leader>;
    if (typeof epoch === "number" && typeof name === "string" && typeof url === "string") {
      return { epoch, name, url };
    }
  } catch {
    // Not one that Berth wrote.
  }
  return undefined;
}

/** Only a log that was never claimed has none. */
export function readHead(kv: KeyValue | undefined): Head {
  if (kv === undefined) return EMPTY_HEAD;
  const { revision, checksum } = parsed(kv) as Partial<Head>;
  if (Number.isSafeInteger(revision) && typeof checksum === "string") {
    return { revision: revision as Revision, checksum };
  }
  throw damaged(text(kv), "the end of the log is missing");
}

/** Throws LogOfOtherFormat, or LogDamaged where it is broken. */
export function readMeta(kv: KeyValue | undefined): Meta {
  if (kv === undefined) return EMPTY_META;
  const { format, oldest, anchor, seal } = parsed(kv) as Meta & { format: unknown; seal: unknown };
  const why = whyUnread(FORMATS.etcdLog, format);
  if (why !== undefined) throw unreadFormat(text(kv), why);
  if (seal === sealOf({ oldest, anchor })) return { oldest, anchor };
  throw damaged(text(kv), "the record of the start of the log is damaged");
}

/**
 * Whether an older build wrote it: then what this build appends needs a number that the older one
 * refuses.
 */
export function isOlderMeta(kv: KeyValue | undefined): boolean {
  if (kv === undefined) return false;
  const { format } = parsed(kv) as { readonly format?: unknown };
  return Number(format) < FORMATS.etcdLog.written;
}

/** Undefined when it is broken: a snapshot gone bad is passed over. */
export function readSnapshotMark(kv: KeyValue): SnapshotMark | undefined {
  try {
    const { seal, ...mark } = parsed(kv) as SnapshotMark & { readonly seal: Checksum };
    return seal === markSeal(mark) ? mark : undefined;
  } catch {
    return undefined;
  }
}

function parsed(kv: KeyValue): object {
  try {
    const value: unknown = JSON.parse(Buffer.from(kv.value).toString("utf8"));
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Said below, with the key.
  }
  throw damaged(text(kv), "the value was not written by Berth");
}

const text = ({ key }: KeyValue): string => Buffer.from(key).toString("utf8");
