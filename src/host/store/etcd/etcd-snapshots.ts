/**
 * Keeps the two newest snapshots. One counts from the transaction that writes its mark, after all
 * its pieces; the newest that is whole is loaded, and one gone bad is passed over.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Snapshot } from "../../../core/protocol/snapshot.ts";
import type { Revision } from "../../../core/model/ids.ts";
import { EtcdUnknown } from "../../etcd/etcd-api.ts";
import type { LogPart } from "../load-log.ts";
import type { AppendResult } from "../log-store.ts";
import { snapshotChunks } from "../snapshot-chunks.ts";
import type { ChainHead } from "../chain-link.ts";
import { CHAIN_START } from "../checksum.ts";
import type { Attempts } from "./attempts.ts";
import { damaged } from "./etcd-log-errors.ts";
import type { Held, Leadership } from "./leadership.ts";
import { after, type LogLayout } from "./log-layout.ts";
import { type LogReader, readBounds } from "./log-reader.ts";
import { PieceReader, piecesOf } from "./snapshot-stream.ts";
import { readSnapshotMark, type SnapshotMark, snapshotMarkValue } from "./stored-values.ts";

type Tell = (part: LogPart) => void;

/** About four megabytes. */
const PIECES_AT_ONCE = 4;

export class EtcdSnapshots {
  private readonly layout: LogLayout;
  private readonly reader: LogReader;
  private readonly leadership: Leadership;
  private readonly attempts: Attempts;

  constructor(of: {
    layout: LogLayout;
    reader: LogReader;
    leadership: Leadership;
    attempts: Attempts;
  }) {
    this.layout = of.layout;
    this.reader = of.reader;
    this.leadership = of.leadership;
    this.attempts = of.attempts;
  }

  /** Writes it whole, and then the mark that makes it count. */
  async keep(held: Held, snapshot: Snapshot, link?: ChainHead): Promise<AppendResult> {
    const at = this.attempts.begin(held.epoch);
    let result: AppendResult = "fenced";
    try {
      const mark = await this.writePieces(held, { snapshot, at });
      const whole = mark && (link === undefined ? mark : { ...mark, link });
      if (whole !== undefined) result = await this.putMark(held, whole);
    } finally {
      // Otherwise a mark may refer to the pieces yet.
      if (result !== "unknown") this.attempts.settle(at);
    }
    return result;
  }

  /**
   * Tells the newest whole snapshot and answers its revision; 0 without one, when the log still has
   * its beginning.
   */
  async load(tell: Tell): Promise<Revision> {
    for (;;) {
      const look = await this.reader.look(...this.reader.bounds(), this.layout.snapshots());
      const { meta } = readBounds(look);
      const bad: string[] = [];
      let isStale = false;
      for (const kv of (look.ranges[3]?.kvs ?? []).toReversed()) {
        const mark = readSnapshotMark(kv);
        const isGood = mark !== undefined && (await this.tellWhole(mark, tell));
        if (isGood && mark.revision >= meta.oldest) {
          if (bad.length > 0) tell({ kind: "note", text: note(bad, `that of ${mark.revision}`) });
          return mark.revision;
        }
        // It may have been dropped while it was read: then there are newer ones.
        const again = await this.reader.look({ key: kv.key });
        isStale = again.ranges[0]?.kvs[0]?.modRevision !== kv.modRevision;
        if (isStale) break;
        bad.push(this.layout.text(kv.key));
      }
      if (isStale) continue;
      tell({ kind: "head", head: undefined });
      if (meta.oldest === 0) {
        if (bad.length > 0) tell({ kind: "note", text: note(bad, "all commits") });
        return 0;
      }
      throw damaged(
        bad.join(" and ") || this.layout.text(this.layout.snapshots().key),
        `there is no complete snapshot, and the commits up to ${meta.oldest} were compacted`,
      );
    }
  }

  private async writePieces(
    held: Held,
    { snapshot, at }: { snapshot: Snapshot; at: SnapshotMark["at"] },
  ): Promise<SnapshotMark | undefined> {
    const { revision, epoch, leadSinceMs } = snapshot;
    let pieces = 0;
    let checksum = CHAIN_START;
    for await (const piece of piecesOf(snapshotChunks(snapshot))) {
      const key = this.layout.piece({ revision, ...at }, pieces);
      const { done } = await this.leadership.write(held, [
        { kind: "put", key, value: piece.value },
      ]);
      if (!done) return undefined;
      pieces += 1;
      ({ checksum } = piece);
      // A snapshot may take a second to encode; whatever waits for the plane goes in between.
      await nextTurn();
    }
    return { revision, epoch, leadSinceMs, at, pieces, checksum };
  }

  private async putMark(held: Held, mark: SnapshotMark): Promise<AppendResult> {
    const key = this.layout.snapshot(mark.revision);
    try {
      const { done } = await this.leadership.write(held, [
        { kind: "put", key, value: snapshotMarkValue(mark) },
      ]);
      return done ? "durable" : "fenced";
    } catch (error) {
      if (error instanceof EtcdUnknown) return "unknown";
      throw error;
    }
  }

  private async tellWhole(mark: SnapshotMark, tell: Tell): Promise<boolean> {
    const { revision, epoch, leadSinceMs } = mark;
    tell({ kind: "head", head: { revision, epoch, leadSinceMs } });
    const { key, end } = this.layout.pieces({ revision, ...mark.at });
    const pieces = new PieceReader();
    let from = key;
    for (let more = true; more;) {
      const look = await this.reader.look({ key: from, end, limit: PIECES_AT_ONCE });
      const range = look.ranges[0];
      for (const { key: at, value } of range?.kvs ?? []) {
        const chunks = await pieces.add(value);
        if (chunks === undefined) return false;
        for (const body of chunks) tell({ kind: "chunk", body });
        from = after(at);
      }
      more = range?.more ?? false;
    }
    return pieces.isWhole(mark);
  }
}

const note = (bad: readonly string[], instead: string): string =>
  `The log in etcd is intact, but its snapshot at ${bad.join(" and ")} is damaged: loaded ${instead} instead. The next snapshot replaces it; check etcd's disks.`;
