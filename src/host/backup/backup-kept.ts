/**
 * What a backup holds, read from its file piece by piece. Nothing of a section is told before its
 * checksum is right; what comes after one that is wrong cannot be trusted to be in its place and is
 * not told.
 */
import { Buffer } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import { FORMATS, whyUnread } from "../formats.ts";
import { type Checksum, CHAIN_START } from "../store/checksum.ts";
import { unpack } from "../store/etcd/compression.ts";
import {
  type BackupOrigin,
  FIRST_WORDS,
  type SectionHead,
  sectionChecksum,
  type SectionLine,
} from "./backup-format.ts";
import { flawed, type KeptPart } from "./kept-log.ts";

const NEW_LINE = 10;
const READ_BYTES = 1024 * 1024;
/** No line is near this: one that is longer is not ours. */
const LONGEST_LINE = 16 * READ_BYTES;

export class BackupKept {
  /** Known once the bounds were told. */
  origin: BackupOrigin | undefined;
  private readonly path: string;
  private checksum: Checksum = CHAIN_START;
  private sections = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Rejects with what the system says where the file cannot be read at all. */
  async *parts(): AsyncGenerator<KeptPart> {
    const file = await open(this.path, "r");
    try {
      yield* this.all(new ByteReader(file));
    } catch (error) {
      if (!(error instanceof NotABackup)) throw error;
      const where = `${this.path}, section ${this.sections + 1}`;
      yield flawed({ kind: "storage", where, found: error.message });
    } finally {
      await file.close();
    }
  }

  private async *all(reader: ByteReader): AsyncGenerator<KeptPart> {
    const first = await reader.line();
    const strange = strangeness(first);
    if (strange !== undefined) throw new NotABackup(strange);
    for (;;) {
      const { head, body } = await this.section(reader);
      if (head.kind === "end") {
        if (head.sections === this.sections && (await reader.isAtEnd())) return;
        throw new NotABackup("the end of the backup is at the wrong place");
      }
      this.sections += 1;
      yield* this.partsOf(head, body);
    }
  }

  private async section(
    reader: ByteReader,
  ): Promise<{ readonly head: SectionHead; readonly body: Uint8Array }> {
    const text = await reader.line();
    if (text === undefined) throw new NotABackup("the file is truncated");
    const line = parsed(text);
    const body = await reader.bytes(line.bytes + 1);
    if (body === undefined) throw new NotABackup("the file ends in the middle of a section");
    const packed = body.subarray(0, line.bytes);
    if (body[line.bytes] !== NEW_LINE) throw new NotABackup("a section ends at the wrong place");
    this.checksum = sectionChecksum(this.checksum, line, packed);
    if (this.checksum !== line.checksum) throw new NotABackup("the checksum is wrong");
    try {
      return { head: line.head, body: await unpack({ encoding: line.encoding, body: packed }) };
    } catch (error) {
      throw new NotABackup("the body cannot be unpacked", { cause: error });
    }
  }

  private *partsOf(head: SectionHead, body: Uint8Array): Generator<KeptPart> {
    switch (head.kind) {
      case "log":
        this.origin = head.origin;
        yield { kind: "log", log: head.log };
        break;
      case "snapshot":
        yield { kind: "snapshot", head: head.head };
        break;
      case "chunk":
        yield { kind: "chunk", body };
        break;
      case "snapshot-end":
        yield { kind: "snapshot-end", isWhole: head.isWhole };
        break;
      case "batches": {
        let at = 0;
        for (const [first, last, epoch, bytes] of head.batches) {
          const own = body.subarray(at, at + bytes);
          yield { kind: "batch", batch: { first, last, epoch, body: own } };
          at += bytes;
        }
        break;
      }
      case "end":
        break;
    }
  }
}

/** What is wrong with the file, in a few words that stand after where it is. */
class NotABackup extends Error {
  override readonly name = "NotABackup";
}

function strangeness(first: string | undefined): string | undefined {
  const format = first?.startsWith(FIRST_WORDS) === true ? first.slice(FIRST_WORDS.length) : "";
  if (!/^\d+$/.test(format)) return "it is not a Berth backup";
  return whyUnread(FORMATS.backup, Number(format));
}

function parsed(text: string): SectionLine {
  try {
    const line = JSON.parse(text) as SectionLine;
    if (Number.isSafeInteger(line.bytes) && line.bytes >= 0 && typeof line.head === "object") {
      return line;
    }
  } catch {
    // Said below.
  }
  throw new NotABackup("a section is missing");
}

class ByteReader {
  private readonly file: FileHandle;
  private rest: Buffer = Buffer.alloc(0);
  private isOver = false;

  constructor(file: FileHandle) {
    this.file = file;
  }

  async line(): Promise<string | undefined> {
    for (let from = 0; ;) {
      const at = this.rest.indexOf(NEW_LINE, from);
      if (at >= 0) {
        const text = this.rest.toString("utf8", 0, at);
        this.rest = this.rest.subarray(at + 1);
        return text;
      }
      from = this.rest.length;
      if (from > LONGEST_LINE || !(await this.more(READ_BYTES))) return undefined;
    }
  }

  async bytes(count: number): Promise<Buffer | undefined> {
    while (this.rest.length < count) {
      if (!(await this.more(Math.max(READ_BYTES, count - this.rest.length)))) return undefined;
    }
    const taken = this.rest.subarray(0, count);
    this.rest = this.rest.subarray(count);
    return taken;
  }

  async isAtEnd(): Promise<boolean> {
    return this.rest.length === 0 && !(await this.more(1));
  }

  /**
   * A length that a broken line makes up is not believed: never more is read at once than the file
   * may have.
   */
  private async more(wanted: number): Promise<boolean> {
    if (this.isOver) return false;
    const { size } = await this.file.stat();
    const buffer = Buffer.alloc(Math.min(wanted, Math.max(1, size)));
    const { bytesRead } = await this.file.read(buffer, 0, buffer.length);
    this.isOver = bytesRead === 0;
    this.rest = Buffer.concat([this.rest, buffer.subarray(0, bytesRead)]);
    return !this.isOver;
  }
}
