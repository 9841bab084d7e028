/** Where the chain of a log file ends. Runs inside the transactions of `log-file.ts`. */
import type { Revision } from "../../core/model/ids.ts";
import {
  CHAIN_GENESIS,
  type ChainHash,
  type ChainHead,
  hashOf,
  linkInChunk,
} from "./chain-link.ts";
import type { Checksum } from "./checksum.ts";
import type { Database } from "./sqlite-database.ts";

export class FileChain {
  private readonly db: Database;
  /**
   * By the checksum of its row: whatever became of the transaction that wrote it, and despite other
   * writers.
   */
  private newest: { readonly checksum: Checksum; readonly hash: ChainHash } | undefined;

  constructor(db: Database) {
    this.db = db;
  }

  /** The hash of all up to the end of the log; undefined when nothing is left that says it. */
  hashAt(end: { readonly revision: Revision; readonly checksum: Checksum }): ChainHash | undefined {
    if (this.newest?.checksum === end.checksum) return this.newest.hash;
    const hash = this.stored(end.revision);
    this.newest = hash === undefined ? undefined : { checksum: end.checksum, hash };
    return hash;
  }

  headAt(end: { readonly revision: Revision; readonly checksum: Checksum }): ChainHead | undefined {
    const hash = this.hashAt(end);
    return hash === undefined ? undefined : { revision: end.revision, hash };
  }

  /** A batch is being written; only once it is there is its checksum that of the last row. */
  wrote(checksum: Checksum, body: Uint8Array): void {
    this.newest = { checksum, hash: hashOf(body) };
  }

  private stored(revision: Revision): ChainHash | undefined {
    const last = this.body("SELECT body FROM log ORDER BY first DESC LIMIT 1");
    if (last !== undefined) return hashOf(last);
    if (revision === 0) return CHAIN_GENESIS.hash;
    // Nothing is kept but the snapshot, whose last piece says it.
    const piece = this.body(
      "SELECT body FROM chunk WHERE snapshot = (SELECT max(id) FROM snapshot) ORDER BY at DESC LIMIT 1",
    );
    return piece && linkInChunk(piece)?.hash;
  }

  private body(query: string): Uint8Array | undefined {
    const row = this.db.prepare(query).get() as { readonly body: Uint8Array } | undefined;
    return row?.body;
  }
}
