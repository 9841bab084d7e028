/**
 * Where the chain of batches in etcd ends. The key that says where the log ends is compared word
 * for word by every appender, planes of earlier versions among them, so it cannot carry the hash: a
 * plane that begins to lead reads the last batch.
 */
import { CHAIN_GENESIS, type ChainHash, type ChainHead, hashOf } from "../chain-link.ts";
import type { Checksum } from "../checksum.ts";
import type { LogLayout } from "./log-layout.ts";
import { type LogReader, readBounds } from "./log-reader.ts";
import { type Head, readSnapshotMark } from "./stored-values.ts";

export class ChainTip {
  private readonly layout: LogLayout;
  private readonly reader: LogReader;
  /** By the checksum of its batch: whatever became of an append, and under any leader. */
  private newest: { readonly checksum: Checksum; readonly hash: ChainHash } | undefined;

  constructor({ layout, reader }: { readonly layout: LogLayout; readonly reader: LogReader }) {
    this.layout = layout;
    this.reader = reader;
  }

  /**
   * The hash of all up to this end of the log; undefined when nothing is left that says it, or the
   * log has gone on.
   */
  async hashAt(end: Head): Promise<ChainHash | undefined> {
    if (this.newest?.checksum === end.checksum) return this.newest.hash;
    const { head, hash } = await this.read();
    if (head.checksum !== end.checksum || hash === undefined) return undefined;
    this.newest = { checksum: end.checksum, hash };
    return hash;
  }

  landed(checksum: Checksum, hash: ChainHash): void {
    this.newest = { checksum, hash };
  }

  /** As etcd has it now. */
  async now(): Promise<ChainHead | undefined> {
    const { head, hash } = await this.read();
    return hash === undefined ? undefined : { revision: head.revision, hash };
  }

  private async read(): Promise<{ readonly head: Head; readonly hash: ChainHash | undefined }> {
    const last = { limit: 1, order: "descending" } as const;
    const look = await this.reader.look(
      ...this.reader.bounds(),
      { ...this.layout.batches(), ...last },
      { ...this.layout.snapshots(), ...last },
    );
    const { head } = readBounds(look);
    const [batch] = look.ranges[3]?.kvs ?? [];
    const [mark] = look.ranges[4]?.kvs ?? [];
    if (batch !== undefined) {
      const place = { revision: this.layout.firstOf(batch.key) - 1, checksum: undefined };
      const { body } = await this.reader.batchOf(batch, place);
      return { head, hash: hashOf(body) };
    }
    if (head.revision === 0) return { head, hash: CHAIN_GENESIS.hash };
    return { head, hash: mark && readSnapshotMark(mark)?.link?.hash };
  }
}
