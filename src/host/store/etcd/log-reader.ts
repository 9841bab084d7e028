/**
 * Reads batches back and checks them on the way: each is there, in its place, unchanged and of an
 * epoch that was claimed. Every page is one transaction together with the bounds of the log: a drop
 * between two pages is noticed, because it moves the beginning.
 */
import { Buffer } from "node:buffer";
import type { Revision } from "../../../core/model/ids.ts";
import {
  type EtcdApi,
  EtcdUnknown,
  type KeyValue,
  type RangeAsk,
  type TxnAnswer,
} from "../../etcd/etcd-api.ts";
import type { Checksum } from "../checksum.ts";
import { LogCompacted } from "../log-store.ts";
import {
  type BatchLine,
  type BatchValue,
  decodeValue,
  isIntact,
  PART_BYTES,
} from "./batch-value.ts";
import { unpack } from "./compression.ts";
import { damaged } from "./etcd-log-errors.ts";
import { after, type LogLayout } from "./log-layout.ts";
import { type Head, type Meta, readEpoch, readHead, readMeta } from "./stored-values.ts";

export interface ReadBatch {
  readonly line: BatchLine;
  /** Unpacked. */
  readonly body: Uint8Array;
}

/** Some batches, and etcd's revision when they were read. */
export interface Page {
  readonly batches: readonly ReadBatch[];
  readonly revision: bigint;
  readonly head: Head;
}

/** Where the next batch has to begin, and what it hangs on where that is known. */
export interface Place {
  readonly revision: Revision;
  readonly checksum: Checksum | undefined;
}

interface Bounds {
  readonly meta: Meta;
  readonly head: Head;
  readonly epoch: number;
}

/** A page is to be about this large: some milliseconds to send, and little to hold. */
const PAGE_BYTES = 4 * PART_BYTES;
/** Before anything is known about their size, and at most however small they are. */
const FIRST_PAGE = 16;
const LARGEST_PAGE = 1_000;

/**
 * A read has no effect, so one whose answer was lost is asked again. More often than this,
 * something is wrong.
 */
const TRIES = 3;

export class LogReader {
  private readonly api: EtcdApi;
  private readonly layout: LogLayout;

  constructor(api: EtcdApi, layout: LogLayout) {
    this.api = api;
    this.layout = layout;
  }

  /** Several reads as of one moment. */
  async look(...asks: readonly RangeAsk[]): Promise<TxnAnswer> {
    const success = asks.map((ask) => ({ kind: "range" as const, ...ask }));
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.api.txn({ compare: [], success });
      } catch (error) {
        if (!(error instanceof EtcdUnknown) || tries === TRIES) throw error;
      }
    }
  }

  /**
   * Every batch that holds a commit after `from`, until the end as of the last page. Rejects with
   * LogCompacted as soon as something that was still to come has been dropped.
   */
  async *pagesAfter(from: Revision): AsyncGenerator<Page> {
    const { key, end } = this.layout.batches(0, from + 2);
    const look = await this.look(...this.bounds(), {
      key,
      end,
      limit: 1,
      order: "descending",
      keysOnly: true,
    });
    const { meta, head } = readBounds(look);
    if (from < meta.oldest) throw new LogCompacted(from, meta.oldest);
    if (from >= head.revision) {
      yield { batches: [], revision: look.revision, head };
      return;
    }
    const holding = look.ranges[3]?.kvs[0];
    // Without one the gap is noticed by the first page.
    const first = holding === undefined ? from + 1 : this.layout.firstOf(holding.key);
    let place: Place = { revision: first - 1, checksum: undefined };
    let limit = FIRST_PAGE;
    for (let more = true; more;) {
      const page = await this.page(place, { from, limit });
      yield page;
      ({ place, limit, more } = page);
    }
  }

  /** The batch of a key that was put, as the next one after `place`. */
  async batchOf(kv: KeyValue, place: Place): Promise<ReadBatch> {
    const value = this.valueOf(kv, place);
    const { line } = value;
    const body = line.parts === undefined ? value.body : await this.bodyInParts(line, line.parts);
    if (!isIntact({ line, body })) {
      throw this.broken(kv, `the checksum of revisions ${line.first} to ${line.last} is wrong`);
    }
    try {
      return { line, body: await unpack({ encoding: line.encoding, body }) };
    } catch (error) {
      const found = `revisions ${line.first} to ${line.last} cannot be unpacked`;
      throw damaged(this.layout.text(kv.key), found, { cause: error });
    }
  }

  private async page(
    at: Place,
    of: { from: Revision; limit: number },
  ): Promise<Page & { place: Place; limit: number; more: boolean }> {
    const range = this.layout.batches(at.revision + 1);
    const look = await this.look(...this.bounds(), { ...range, limit: of.limit });
    const { meta, head, epoch } = readBounds(look);
    const reached = Math.max(at.revision, of.from);
    if (reached < meta.oldest) throw new LogCompacted(of.from, meta.oldest);
    const { kvs = [], more = false } = look.ranges[3] ?? {};
    let place = at.revision === meta.oldest ? { ...at, checksum: meta.anchor } : at;
    const batches: ReadBatch[] = [];
    for (const kv of kvs) {
      const batch = await this.batchOf(kv, place);
      const { last, checksum } = batch.line;
      if (batch.line.epoch > epoch) {
        throw this.broken(
          kv,
          `revision ${last} is of epoch ${batch.line.epoch}, but the newest is ${epoch}`,
        );
      }
      if (last > of.from) batches.push(batch);
      place = { revision: last, checksum };
    }
    if (!more) this.checkEnd(place, head);
    return { batches, revision: look.revision, head, place, more, limit: nextLimit(kvs) };
  }

  private checkEnd(place: Place, head: Head): void {
    const isEnd = place.revision === head.revision;
    if (isEnd && (place.checksum ?? head.checksum) === head.checksum) return;
    throw damaged(
      this.layout.text(this.layout.head),
      `the end of the log is recorded as revision ${head.revision} (${head.checksum}), and the last batch ends at ${place.revision} (${place.checksum})`,
    );
  }

  private valueOf(kv: KeyValue, place: Place): BatchValue {
    const value = decodeValue(kv.value);
    if (value === undefined) throw this.broken(kv, "there is no batch");
    const { first, last, previous } = value.line;
    const isNext = first === place.revision + 1 && last >= first;
    if (!isNext || this.layout.firstOf(kv.key) !== first) {
      throw this.broken(
        kv,
        `a batch of ${first} to ${last} comes after revision ${place.revision}`,
      );
    }
    if (place.checksum === undefined || previous === place.checksum) return value;
    throw this.broken(kv, `revision ${first} does not continue the hash chain`);
  }

  private async bodyInParts(
    line: BatchLine,
    { attempt, count }: { readonly attempt: number; readonly count: number },
  ): Promise<Uint8Array> {
    const { key, end } = this.layout.parts({ revision: line.first, epoch: line.epoch, attempt });
    const found: Uint8Array[] = [];
    let from = key;
    for (let more = true; more;) {
      const limit = PAGE_BYTES / PART_BYTES;
      const look = await this.look(...this.bounds(), { key: from, end, limit });
      const { meta } = readBounds(look);
      if (line.first <= meta.oldest) throw new LogCompacted(line.first - 1, meta.oldest);
      const { kvs = [], more: isMore = false } = look.ranges[3] ?? {};
      found.push(...kvs.map(({ value }) => value));
      from = after(kvs.at(-1)?.key ?? from);
      more = isMore;
    }
    if (found.length === count) return Buffer.concat(found);
    const of = `revisions ${line.first} to ${line.last}`;
    throw damaged(this.layout.text(key), `${found.length} of ${count} parts of ${of} are there`);
  }

  /** What every page is read together with. */
  bounds(): RangeAsk[] {
    const { meta, head, epoch } = this.layout;
    return [{ key: meta }, { key: head }, { key: epoch }];
  }

  private broken(kv: KeyValue, found: string): Error {
    return damaged(this.layout.text(kv.key), found);
  }
}

/** The first claim writes all three, so there are all of them or there is no log yet. */
export function readBounds({ ranges }: TxnAnswer): Bounds {
  const three = ranges.slice(0, 3).map(({ kvs }) => kvs[0]);
  const [meta, head, epoch] = three;
  const found = three.find((kv) => kv !== undefined);
  if (found !== undefined && three.includes(undefined)) {
    throw damaged(
      Buffer.from(found.key).toString(),
      "is a log of which the key meta, head or epoch is missing",
    );
  }
  return { meta: readMeta(meta), head: readHead(head), epoch: readEpoch(epoch) };
}

function nextLimit(kvs: readonly KeyValue[]): number {
  const largest = Math.max(1, ...kvs.map(({ value }) => value.length));
  return Math.min(LARGEST_PAGE, Math.max(1, Math.floor(PAGE_BYTES / largest)));
}
