/**
 * Reads a tar stream, entry by entry: the old headers, and the two ways in which longer names are
 * told (GNU and pax). What it does not know is an error, never a guess.
 */

export interface TarEntry {
  readonly path: string;
  /** A character, as the header has it. */
  readonly type: string;
  readonly mode: number;
  readonly size: number;
  readonly link: string;
}

export interface TarVisitor {
  begin(entry: TarEntry): void;
  /** Bytes of the file that began last. */
  content(bytes: Buffer): void;
  end(): void;
}

const BLOCK = 512;
/** A name longer than this is an attack. */
const NAME_BYTES = 65_536;

export async function readTar(stream: AsyncIterable<Buffer>, visitor: TarVisitor): Promise<void> {
  const parser = new TarParser(visitor);
  for await (const bytes of stream) parser.take(bytes);
  parser.finish();
}

class TarParser {
  private readonly visitor: TarVisitor;
  private rest: Buffer = Buffer.alloc(0);
  /** Of the entry that is being read, without padding. */
  private left = 0;
  private padding = 0;
  private isInFile = false;
  private gathered: { readonly type: string; readonly parts: Buffer[] } | undefined;
  private longPath: string | undefined;
  private longLink: string | undefined;

  constructor(visitor: TarVisitor) {
    this.visitor = visitor;
  }

  take(bytes: Buffer): void {
    this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    while (this.step()) {
      // Each step uses up some of it.
    }
  }

  finish(): void {
    if (this.left > 0 || this.isInFile) throw new Error("The layer ends in the middle of a file.");
  }

  private step(): boolean {
    if (this.left > 0) return this.takeContent();
    if (this.isInFile || this.gathered !== undefined) this.endEntry();
    if (this.padding > 0) {
      if (this.rest.length < this.padding) return false;
      this.rest = this.rest.subarray(this.padding);
      this.padding = 0;
      return true;
    }
    if (this.rest.length < BLOCK) return false;
    const header = this.rest.subarray(0, BLOCK);
    this.rest = this.rest.subarray(BLOCK);
    // Blocks of zeros stand at the end.
    if (header.some((byte) => byte !== 0)) this.beginEntry(header);
    return true;
  }

  private takeContent(): boolean {
    if (this.rest.length === 0) return false;
    const part = this.rest.subarray(0, this.left);
    this.rest = this.rest.subarray(part.length);
    this.left -= part.length;
    if (this.gathered === undefined) this.visitor.content(part);
    else this.gathered.parts.push(Buffer.from(part));
    return true;
  }

  private beginEntry(header: Buffer): void {
    if (checksum(header) !== octal(header, 148, 8))
      throw new Error("A header of the layer is damaged.");
    const type = String.fromCharCode(header[156] ?? 0);
    const size = "1234567".includes(type) && type !== "7" ? 0 : octal(header, 124, 12);
    this.left = size;
    this.padding = (BLOCK - (size % BLOCK)) % BLOCK;
    if ("LKxg".includes(type)) {
      if (size > NAME_BYTES) throw new Error("A name in the layer is too long.");
      this.gathered = { type, parts: [] };
      return;
    }
    const prefix = text(header, 345, 155);
    const name = text(header, 0, 100);
    const short = prefix === "" || !isUstar(header) ? name : `${prefix}/${name}`;
    const entry = {
      path: this.longPath ?? short,
      type: type === "\0" ? "0" : type,
      mode: octal(header, 100, 8),
      size,
      link: this.longLink ?? text(header, 157, 100),
    };
    this.longPath = undefined;
    this.longLink = undefined;
    this.isInFile = true;
    this.visitor.begin(entry);
  }

  private endEntry(): void {
    const { gathered } = this;
    this.gathered = undefined;
    if (gathered === undefined) {
      this.isInFile = false;
      this.visitor.end();
      return;
    }
    const said = Buffer.concat(gathered.parts).toString("utf8");
    if (gathered.type === "L") this.longPath = said.replace(/\0.*$/s, "");
    if (gathered.type === "K") this.longLink = said.replace(/\0.*$/s, "");
    if (gathered.type !== "x") return;
    const records = paxRecords(said);
    if (records.has("size")) throw new Error("The layer has a file whose size no header can tell.");
    this.longPath = records.get("path") ?? this.longPath;
    this.longLink = records.get("linkpath") ?? this.longLink;
  }
}

/** e.g. "30 path=a/long/name\n": the number counts the whole record. */
function paxRecords(said: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const bytes = Buffer.from(said);
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(" ", at);
    const length = Number(bytes.subarray(at, Math.max(at, space)).toString("latin1"));
    if (!Number.isSafeInteger(length) || length < 3)
      throw new Error("A header of the layer is damaged.");
    const record = bytes.subarray(space + 1, at + length - 1).toString("utf8");
    const equals = record.indexOf("=");
    if (equals > 0) found.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return found;
}

const text = (header: Buffer, at: number, length: number): string =>
  header
    .subarray(at, at + length)
    .toString("utf8")
    .replace(/\0.*$/s, "");

const isUstar = (header: Buffer): boolean => text(header, 257, 5) === "ustar";

function octal(header: Buffer, at: number, length: number): number {
  const said = text(header, at, length).trim();
  if (!/^[0-7]*$/.test(said)) throw new Error("A header of the layer is damaged.");
  return said === "" ? 0 : Number.parseInt(said, 8);
}

function checksum(header: Buffer): number {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 32 : byte;
  return sum;
}
