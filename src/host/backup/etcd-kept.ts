/**
 * What a log in etcd holds, read as of one of etcd's own revisions, so that all of it is of one
 * moment despite concurrent appends. Needs no lease and writes nothing.
 */
import { Buffer } from "node:buffer";
import type { Revision } from "../../core/model/ids.ts";
import type { EtcdApi, KeyValue, RangeAsk } from "../etcd/etcd-api.ts";
import { EtcdRefused } from "../etcd/etcd-refused.ts";
import { type BatchValue, decodeValue, isIntact } from "../store/etcd/batch-value.ts";
import { linkChunk } from "../store/chain-link.ts";
import { unpack } from "../store/etcd/compression.ts";
import { after, type KeyRange, type LogLayout } from "../store/etcd/log-layout.ts";
import { PieceReader } from "../store/etcd/snapshot-stream.ts";
import {
  EMPTY_META,
  type Head,
  type Meta,
  readEpoch,
  readHead,
  readMeta,
  readSnapshotMark,
} from "../store/etcd/stored-values.ts";
import { LogDamaged, LogOfOtherFormat, LogUnavailable } from "../store/log-store.ts";
import { type Flaw, flawed, type KeptPart, LogMovedOn } from "./kept-log.ts";

/**
 * A value is at most a mebibyte and mostly a kilobyte, so these are a few megabytes at the very
 * most.
 */
const KEYS_AT_ONCE = 16;

export class EtcdKept {
  private readonly api: EtcdApi;
  private readonly layout: LogLayout;
  private revision = 0n;

  constructor(api: EtcdApi, layout: LogLayout) {
    this.api = api;
    this.layout = layout;
  }

  /** Rejects with LogMovedOn when etcd has forgotten the moment that is read. */
  async *parts(): AsyncGenerator<KeptPart> {
    try {
      yield* this.all();
    } catch (error) {
      if (!(error instanceof EtcdRefused) || !error.says.includes("compacted")) throw error;
      throw new LogMovedOn("The log was compacted during the read. Try again.", { cause: error });
    }
  }

  private async *all(): AsyncGenerator<KeptPart> {
    const { layout } = this;
    const { kvs, revision } = await this.api.range({ key: layout.meta });
    this.revision = revision;
    const [head] = await this.some({ key: layout.head });
    const [epoch] = await this.some({ key: layout.epoch });
    if (kvs[0] === undefined && head === undefined && epoch === undefined) await this.assertSome();
    const flaws: Flaw[] = [];
    const read = <T>(
      work: () => T,
      kv: KeyValue | undefined,
      name: Uint8Array,
      otherwise: T,
    ): T => {
      const where = layout.text(name);
      if (kv === undefined) flaws.push({ kind: "bounds", where, found: "the key is missing" });
      try {
        return work();
      } catch (error) {
        if (!(error instanceof LogDamaged) || error instanceof LogOfOtherFormat) throw error;
        flaws.push({ kind: "bounds", where, found: "the value is broken" });
        return otherwise;
      }
    };
    const meta = read(() => readMeta(kvs[0]), kvs[0], layout.meta, EMPTY_META);
    const none: Head = { revision: 0, checksum: "" };
    const end = read(() => readHead(head), head, layout.head, none);
    const newest = read(() => readEpoch(epoch), epoch, layout.epoch, Number.MAX_SAFE_INTEGER);
    yield { kind: "log", log: { epoch: newest, oldest: meta.oldest, end: end.revision } };
    for (const flaw of flaws) yield flawed(flaw);
    for await (const kv of this.each(layout.snapshots())) yield* this.snapshotParts(kv);
    yield* this.batchParts(meta, flaws.length === 0 ? end : undefined);
  }

  private async *snapshotParts(kv: KeyValue): AsyncGenerator<KeptPart> {
    const where = this.layout.text(kv.key);
    const mark = readSnapshotMark(kv);
    if (mark === undefined) {
      const revision = this.layout.firstOf(kv.key);
      const found = "the record of the snapshot is damaged";
      yield flawed({ kind: "snapshots", where, revision, found });
      return;
    }
    const { revision, epoch, leadSinceMs, at } = mark;
    yield { kind: "snapshot", head: { revision, epoch, leadSinceMs } };
    const pieces = new PieceReader();
    let found: string | undefined;
    for await (const piece of this.each(this.layout.pieces({ revision, ...at }))) {
      const chunks = await pieces.add(piece.value).catch(() => undefined);
      if (chunks === undefined) {
        found = `the checksum of ${this.layout.text(piece.key)} is wrong`;
        break;
      }
      for (const body of chunks) yield { kind: "chunk", body };
    }
    if (found === undefined && !pieces.isWhole(mark)) {
      found = `not all of its ${mark.pieces} pieces are there`;
    }
    if (found !== undefined) yield flawed({ kind: "snapshots", where, revision, found });
    if (found === undefined && mark.link) yield { kind: "chunk", body: linkChunk(mark.link) };
    yield { kind: "snapshot-end", isWhole: found === undefined };
  }

  /** `end` is where the log says it ends, where that can be believed. */
  private async *batchParts(meta: Meta, end: Head | undefined): AsyncGenerator<KeptPart> {
    let at: Head = { revision: meta.oldest, checksum: meta.anchor };
    for await (const kv of this.each(this.layout.batches())) {
      const value = decodeValue(kv.value);
      const revision = this.layout.firstOf(kv.key);
      const where = this.layout.text(kv.key);
      const flaw = value === undefined ? NO_BATCH : misplaced(revision, value, at);
      if (flaw !== undefined) yield flawed({ ...flaw, where, revision });
      // One after a gap is as good as any by itself.
      if (value !== undefined && (flaw === undefined || flaw.kind === "revisions")) {
        const whole = await this.whole(value);
        const { first, last, epoch } = value.line;
        yield typeof whole === "string"
          ? flawed({ kind: "batches", where, revision, found: whole })
          : { kind: "batch", batch: { first, last, epoch, body: whole } };
      }
      at = { revision: value?.line.last ?? revision, checksum: value?.line.checksum ?? "" };
    }
    if (end === undefined || (end.revision === at.revision && end.checksum === at.checksum)) return;
    const found = `the end of the log is recorded as revision ${end.revision} (${end.checksum}), and the last batch ends at ${at.revision} (${at.checksum})`;
    const where = this.layout.text(this.layout.head);
    yield flawed({ kind: "bounds", where, revision: end.revision, found });
  }

  /** Its body unpacked, or what is wrong with it. */
  private async whole({ line, body }: BatchValue): Promise<Uint8Array | string> {
    const of = `revisions ${line.first} to ${line.last}`;
    let packed = body;
    if (line.parts !== undefined) {
      const found: Uint8Array[] = [];
      const { first: revision, epoch } = line;
      const family = { revision, epoch, attempt: line.parts.attempt };
      for await (const { value } of this.each(this.layout.parts(family))) found.push(value);
      if (found.length !== line.parts.count) {
        return `${found.length} of ${line.parts.count} parts of ${of} are there`;
      }
      packed = Buffer.concat(found);
    }
    if (!isIntact({ line, body: packed })) return `the checksum of ${of} is wrong`;
    try {
      return await unpack({ encoding: line.encoding, body: packed });
    } catch {
      return `${of} cannot be unpacked`;
    }
  }

  private async *each({ key, end }: KeyRange): AsyncGenerator<KeyValue> {
    let from = key;
    for (let more = true; more;) {
      const ask = { key: from, end, limit: KEYS_AT_ONCE, revision: this.revision };
      const answer = await this.api.range(ask);
      yield* answer.kvs;
      from = after(answer.kvs.at(-1)?.key ?? from);
      more = answer.more;
    }
  }

  private async assertSome(): Promise<void> {
    const { kvs } = await this.api.range({ ...this.layout.everything(), limit: 1, keysOnly: true });
    if (kvs.length > 0) return;
    throw new LogUnavailable(
      `Etcd has no log under ${this.layout.prefix}. Check the address and its prefix, as in etcd://HOST:PORT/PREFIX.`,
    );
  }

  private async some(ask: RangeAsk): Promise<readonly KeyValue[]> {
    const { kvs } = await this.api.range({ ...ask, revision: this.revision });
    return kvs;
  }
}

const NO_BATCH: Pick<Flaw, "kind" | "found"> = { kind: "batches", found: "there is no batch" };

/** What is wrong with a batch under this key, after what ends at `at`. */
function misplaced(
  key: Revision,
  { line }: BatchValue,
  at: Head,
): Pick<Flaw, "kind" | "found"> | undefined {
  const { first, last, previous } = line;
  if (key !== first || last < first) {
    return { kind: "batches", found: `the key holds a batch of ${first} to ${last}` };
  }
  // After a value that could not be read at all, nothing is known of what this one hangs on.
  if (at.checksum === "") return undefined;
  if (first !== at.revision + 1) {
    const found = `after revision ${at.revision} comes a batch of ${first} to ${last}`;
    return { kind: "revisions", found };
  }
  if (previous === at.checksum) return undefined;
  return { kind: "batches", found: `revision ${first} does not continue the hash chain` };
}
