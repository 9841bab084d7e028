/**
 * Where things lie in etcd. One key for each batch, named by its first revision in fixed width, so
 * that the order of the keys is the order of the log; parts and pieces are named by what they
 * belong to, so that they can be dropped with it as one range.
 */
import { Buffer } from "node:buffer";
import type { Epoch, Revision } from "../../../core/model/ids.ts";

/** Wide enough for every integer that a number holds exactly. */
const HEX_DIGITS = 14;

/** A range of keys as etcd takes it: from `key` on, without `end`. */
export interface KeyRange {
  readonly key: Uint8Array;
  readonly end: Uint8Array;
}

/** One try to write something that takes several transactions. No two tries ever share a key. */
export interface Attempt {
  readonly epoch: Epoch;
  readonly attempt: number;
}

/** What the parts of one batch or the pieces of one snapshot are named by. */
export interface Family extends Attempt {
  readonly revision: Revision;
}

export class LogLayout {
  readonly prefix: string;
  /** Attached to the lease of the plane that leads; every write compares it. */
  readonly leader: Uint8Array;
  /** The newest epoch that was ever claimed. */
  readonly epoch: Uint8Array;
  /** Where the log ends. */
  readonly head: Uint8Array;
  /** The format, and where the log begins that is still kept. */
  readonly meta: Uint8Array;
  /** There while a backup is being restored. */
  readonly restoring: Uint8Array;

  constructor(prefix: string) {
    this.prefix = prefix;
    this.leader = this.key("leader");
    this.epoch = this.key("epoch");
    this.head = this.key("head");
    this.meta = this.key("meta");
    this.restoring = this.key("restoring");
  }

  batch(first: Revision): Uint8Array {
    return this.key(`log/${hex(first)}`);
  }

  /** The batches that begin at `from` or later, and before `before`. */
  batches(from: Revision = 0, before?: Revision): KeyRange {
    const end = before === undefined ? this.key("log0") : this.batch(before);
    return { key: this.batch(from), end };
  }

  part(of: Family, at: number): Uint8Array {
    return this.key(`part/${familyName(of)}/${hex(at)}`);
  }

  parts(of: Family): KeyRange {
    return this.under(`part/${familyName(of)}`);
  }

  allParts(): KeyRange {
    return this.under("part");
  }

  /** The parts of all batches that begin before this revision. */
  partsBefore(first: Revision): KeyRange {
    return { key: this.key("part/"), end: this.key(`part/${hex(first)}`) };
  }

  /** A snapshot counts from when this key is there. */
  snapshot(revision: Revision): Uint8Array {
    return this.key(`snapshot/${hex(revision)}`);
  }

  snapshots(): KeyRange {
    return this.under("snapshot");
  }

  piece(of: Family, at: number): Uint8Array {
    return this.key(`piece/${familyName(of)}/${hex(at)}`);
  }

  pieces(of: Family): KeyRange {
    return this.under(`piece/${familyName(of)}`);
  }

  allPieces(): KeyRange {
    return this.under("piece");
  }

  /** Whatever there is under the prefix, which ends with a slash; "0" comes after it. */
  everything(): KeyRange {
    return { key: this.key(""), end: Buffer.from(`${this.prefix.slice(0, -1)}0`) };
  }

  /** The first revision of the batch whose key this is. */
  firstOf(key: Uint8Array): Revision {
    return fromHex(this.nameOf(key).split("/")[1]);
  }

  familyOf(key: Uint8Array): Family {
    const [, revision, epoch, attempt] = this.nameOf(key).split("/");
    return { revision: fromHex(revision), epoch: fromHex(epoch), attempt: fromHex(attempt) };
  }

  /** As an operator would type it. */
  text(key: Uint8Array): string {
    return Buffer.from(key).toString("utf8");
  }

  private nameOf(key: Uint8Array): string {
    return this.text(key).slice(this.prefix.length);
  }

  private key(name: string): Uint8Array {
    return Buffer.from(this.prefix + name);
  }

  /** "0" is the character that comes after "/". */
  private under(folder: string): KeyRange {
    return { key: this.key(`${folder}/`), end: this.key(`${folder}0`) };
  }
}

/** The same for the same family and for no other. */
export const familyName = ({ revision, epoch, attempt }: Family): string =>
  `${hex(revision)}/${hex(epoch)}/${hex(attempt)}`;

const hex = (number: number): string => number.toString(16).padStart(HEX_DIGITS, "0");
const fromHex = (text = ""): number => Number.parseInt(text, 16);

/** The key that comes right after this one. */
export const after = (key: Uint8Array): Uint8Array => Buffer.concat([key, Buffer.of(0)]);
