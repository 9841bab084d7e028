/** Turns what a store holds into the bytes of a backup, one section at a time. */
import { Buffer } from "node:buffer";
import { type Checksum, CHAIN_START } from "../store/checksum.ts";
import { pack } from "../store/etcd/compression.ts";
import { LogDamaged } from "../store/log-store.ts";
import {
  type BackupOrigin,
  firstLine,
  type SectionHead,
  sectionChecksum,
  type SectionLine,
} from "./backup-format.ts";
import type { Flaw, KeptBatch, KeptParts } from "./kept-log.ts";

/** Enough for the packing to find what repeats, and little to hold. */
const BATCH_BYTES = 1024 * 1024;
const NO_BODY = new Uint8Array();

/**
 * A broken snapshot goes in and is marked, because what it is good for the other one does, too.
 * Anything else that is wrong ends it with LogDamaged: a backup of a damaged log would only be
 * found out when it is needed.
 */
export async function* encodeBackup(
  parts: KeptParts,
  origin: BackupOrigin,
): AsyncGenerator<Uint8Array> {
  const writer = new SectionWriter();
  yield firstLine();
  for await (const part of parts) {
    if (part.kind !== "batch") yield* writer.flush();
    switch (part.kind) {
      case "log":
        writer.end = part.log.end;
        yield* writer.section({ kind: "log", log: part.log, origin });
        break;
      case "snapshot":
        yield* writer.section({ kind: "snapshot", head: part.head });
        break;
      case "chunk":
        yield* writer.section({ kind: "chunk" }, part.body);
        break;
      case "snapshot-end":
        yield* writer.section({ kind: "snapshot-end", isWhole: part.isWhole });
        break;
      case "batch":
        yield* writer.add(part.batch);
        break;
      case "flaw":
        if (part.flaw.kind !== "snapshots") throw damaged(part.flaw);
        break;
    }
  }
  yield* writer.finish();
}

class SectionWriter {
  end = 0;
  private checksum: Checksum = CHAIN_START;
  private sections = 0;
  private waiting: KeptBatch[] = [];
  private waitingBytes = 0;

  async *add(batch: KeptBatch): AsyncGenerator<Uint8Array> {
    this.waiting.push(batch);
    this.waitingBytes += batch.body.length;
    if (this.waitingBytes >= BATCH_BYTES) yield* this.flush();
  }

  async *flush(): AsyncGenerator<Uint8Array> {
    const { waiting } = this;
    if (waiting.length === 0) return;
    this.waiting = [];
    this.waitingBytes = 0;
    const batches = waiting.map(
      ({ first, last, epoch, body }) => [first, last, epoch, body.length] as const,
    );
    yield* this.section(
      { kind: "batches", batches },
      Buffer.concat(waiting.map(({ body }) => body)),
    );
  }

  async *finish(): AsyncGenerator<Uint8Array> {
    yield* this.flush();
    yield* this.section({ kind: "end", sections: this.sections, end: this.end });
  }

  async *section(head: SectionHead, plain: Uint8Array = NO_BODY): AsyncGenerator<Uint8Array> {
    const { encoding, body } = await pack(plain);
    this.checksum = sectionChecksum(this.checksum, { head, encoding }, body);
    this.sections += 1;
    const line: SectionLine = { head, encoding, bytes: body.length, checksum: this.checksum };
    yield Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), body, Buffer.from("\n")]);
  }
}

const damaged = ({ where, found }: Flaw): LogDamaged =>
  new LogDamaged(
    `Cannot back up the log: at ${where} ${found}. Nothing was written. Run \`berth store check\` for a full list, and restore the newest valid backup.`,
  );
