/**
 * Drops what the snapshots made unnecessary: snapshots beyond the two newest, batches that no
 * snapshot and no watcher needs, and what unfinished tries left behind. Then etcd forgets its own
 * history of all that, without which it would keep every byte. A batch goes in the same transaction
 * that moves the beginning of the log past it, so that no reader can take a log with a hole for a
 * whole one.
 */
import type { Revision } from "../../../core/model/ids.ts";
import {
  type EtcdApi,
  EtcdUnavailable,
  EtcdUnknown,
  type KeyValue,
  type TxnOperation,
} from "../../etcd/etcd-api.ts";
import type { AppendResult } from "../log-store.ts";
import type { Attempts } from "./attempts.ts";
import { decodeValue } from "./batch-value.ts";
import { damaged } from "./etcd-log-errors.ts";
import type { Held, Leadership } from "./leadership.ts";
import { after, type Family, familyName, type KeyRange, type LogLayout } from "./log-layout.ts";
import { type LogReader, readBounds } from "./log-reader.ts";
import { type Meta, metaValue, readSnapshotMark } from "./stored-values.ts";

const SNAPSHOTS_KEPT = 2;
/** Etcd does nothing else while it drops, and this many keys take it some milliseconds. */
const BATCHES_AT_ONCE = 500;
/** Etcd takes 128 operations a transaction unless it is told otherwise. */
const RANGES_AT_ONCE = 100;

export class LogDrops {
  private readonly api: EtcdApi;
  private readonly layout: LogLayout;
  private readonly reader: LogReader;
  private readonly leadership: Leadership;
  private readonly attempts: Attempts;
  private readonly keptRevisions: number;

  constructor(
    api: EtcdApi,
    of: {
      layout: LogLayout;
      reader: LogReader;
      leadership: Leadership;
      attempts: Attempts;
      keptRevisions: number;
    },
  ) {
    this.api = api;
    this.layout = of.layout;
    this.reader = of.reader;
    this.leadership = of.leadership;
    this.attempts = of.attempts;
    this.keptRevisions = of.keptRevisions;
  }

  async drop(held: Held): Promise<AppendResult> {
    try {
      let result = await this.dropSnapshots(held);
      if (result === "durable") result = await this.dropLeftovers(held);
      let more = result === "durable";
      while (more) {
        const dropped = await this.dropBatches(held);
        if (dropped === "fenced") return dropped;
        more = dropped === "durable";
      }
      return result;
    } catch (error) {
      // The state is read anew the next time.
      if (error instanceof EtcdUnknown) return "unknown";
      throw error;
    }
  }

  /**
   * Etcd forgets what was overwritten or deleted before now. The next time does it if this one
   * fails.
   */
  async forget(): Promise<void> {
    try {
      const { revision } = await this.reader.look({ key: this.layout.head });
      await this.api.compact(revision);
    } catch (error) {
      if (!(error instanceof EtcdUnavailable) && !(error instanceof EtcdUnknown)) throw error;
    }
  }

  private async dropSnapshots(held: Held): Promise<AppendResult> {
    const { kvs } = await this.api.range({ ...this.layout.snapshots(), order: "descending" });
    // The pieces of a broken mark are left behind, and go with the leftovers.
    const drops = kvs.slice(SNAPSHOTS_KEPT).flatMap((kv): TxnOperation[] => {
      const mark = readSnapshotMark(kv);
      const pieces = mark && this.layout.pieces({ revision: mark.revision, ...mark.at });
      return [
        { kind: "delete", key: kv.key },
        ...(pieces === undefined ? [] : [{ kind: "delete" as const, ...pieces }]),
      ];
    });
    return this.inTurns(held, drops);
  }

  /** Parts and pieces that nothing refers to, and that no try under way will refer to. */
  private async dropLeftovers(held: Held): Promise<AppendResult> {
    const { snapshots, allParts, allPieces } = {
      snapshots: (await this.api.range(this.layout.snapshots())).kvs,
      allParts: await this.familiesIn(this.layout.allParts()),
      allPieces: await this.familiesIn(this.layout.allPieces()),
    };
    const kept = new Set(
      snapshots.flatMap((kv) => {
        const mark = readSnapshotMark(kv);
        return mark === undefined ? [] : [familyName({ revision: mark.revision, ...mark.at })];
      }),
    );
    const over = (family: Family): boolean => this.attempts.isOver(family, held.epoch);
    const drops: KeyRange[] = [];
    for (const family of allPieces.filter(over)) {
      if (!kept.has(familyName(family))) drops.push(this.layout.pieces(family));
    }
    for (const family of allParts.filter(over)) {
      if (!(await this.isReferred(family))) drops.push(this.layout.parts(family));
    }
    return this.inTurns(
      held,
      drops.map((range) => ({ kind: "delete", ...range })),
    );
  }

  private async isReferred({ revision, epoch, attempt }: Family): Promise<boolean> {
    const { kvs } = await this.api.range({ key: this.layout.batch(revision) });
    const line = kvs[0] && decodeValue(kvs[0].value)?.line;
    return line?.epoch === epoch && line.parts?.attempt === attempt;
  }

  private async familiesIn(range: KeyRange): Promise<Family[]> {
    const families = new Map<string, Family>();
    const { kvs } = await this.api.range({ ...range, keysOnly: true });
    for (const { key } of kvs) {
      const family = this.layout.familyOf(key);
      families.set(familyName(family), family);
    }
    return [...families.values()];
  }

  /** "durable" means that there may be more. */
  private async dropBatches(held: Held): Promise<"durable" | "fenced" | "done"> {
    const look = await this.reader.look(...this.reader.bounds(), this.layout.snapshots());
    const { meta } = readBounds(look);
    const upTo = this.unneeded(look.ranges[3]?.kvs ?? []);
    if (upTo <= meta.oldest) return "done";
    const range = this.layout.batches(meta.oldest + 1, upTo + 1);
    const { kvs } = await this.api.range({ ...range, limit: BATCHES_AT_ONCE, keysOnly: true });
    // The last one may reach beyond, and then it stays.
    for (const { key } of kvs.slice(-2).toReversed()) {
      const cut = await this.endOf(key);
      if (cut.oldest <= upTo) return this.cut(held, { key, before: meta, cut });
    }
    return "done";
  }

  private async cut(
    held: Held,
    { key, before, cut }: { key: Uint8Array; before: Meta; cut: Meta },
  ): Promise<"durable" | "fenced"> {
    const { meta } = this.layout;
    const { done } = await this.leadership.write(
      held,
      [
        { kind: "delete", key: this.layout.batches().key, end: after(key) },
        { kind: "delete", ...this.layout.partsBefore(cut.oldest + 1) },
        { kind: "put", key: meta, value: metaValue(cut) },
      ],
      [{ key: meta, value: metaValue(before) }],
    );
    return done ? "durable" : "fenced";
  }

  /** What the log would begin after if this batch were the last that is dropped. */
  private async endOf(key: Uint8Array): Promise<Meta> {
    const { kvs } = await this.api.range({ key });
    const line = kvs[0] && decodeValue(kvs[0].value)?.line;
    if (line === undefined) throw damaged(this.layout.text(key), "there is no batch");
    return { oldest: line.last, anchor: line.checksum };
  }

  /** Up to here no snapshot and no watcher needs the log. */
  private unneeded(marks: readonly KeyValue[]): Revision {
    const revisions = marks.map(({ key }) => this.layout.firstOf(key));
    return Math.min(Math.max(0, ...revisions) - this.keptRevisions, ...revisions);
  }

  private async inTurns(held: Held, drops: readonly TxnOperation[]): Promise<AppendResult> {
    for (let at = 0; at < drops.length; at += RANGES_AT_ONCE) {
      const { done } = await this.leadership.write(held, drops.slice(at, at + RANGES_AT_ONCE));
      if (!done) return "fenced";
    }
    return "durable";
  }
}
