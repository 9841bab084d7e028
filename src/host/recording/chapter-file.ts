/**
 * One chapter on its way to the disk. Writing each line by itself would cost more than the lines,
 * so they are gathered as bytes and written together: when the writer asks for it, when there are
 * many, and soon in any case.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { OWNER_ONLY_FILE } from "../../shell/private-folder.ts";

/** Some two hundred commands. */
const BUFFER_BYTES = 256 * 2 ** 10;
/**
 * Hardly anybody would miss what a killed plane was told last, and at this pace writing costs
 * nothing.
 */
const WRITE_AFTER_MS = 20;
/** What a letter takes at most in UTF-8, counted by JavaScript's letters. */
const BYTES_A_LETTER = 3;

export class ChapterFile {
  /** How long it has become, also what is not written yet. */
  bytes = 0;
  private readonly file: number;
  private readonly buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  private used = 0;
  private soon: NodeJS.Timeout | undefined;

  constructor(path: string) {
    this.file = openSync(path, "w", OWNER_ONLY_FILE);
    // A plane that stops over a broken invariant has the input that broke it in here.
    process.once("exit", this.flush);
  }

  write(text: string): void {
    const most = text.length * BYTES_A_LETTER;
    if (most > BUFFER_BYTES - this.used) this.flush();
    if (most > BUFFER_BYTES) {
      const bytes = Buffer.from(text);
      this.bytes += bytes.length;
      this.writeOut(bytes);
      return;
    }
    const bytes = this.buffer.write(text, this.used);
    this.used += bytes;
    this.bytes += bytes;
    this.soon ??= setTimeout(this.flush, WRITE_AFTER_MS);
  }

  readonly flush = (): void => {
    clearTimeout(this.soon);
    this.soon = undefined;
    const { used } = this;
    // Before it is tried: what a full disk has refused once must not stand in the way of closing.
    this.used = 0;
    if (used > 0) this.writeOut(this.buffer.subarray(0, used));
  };

  close(): void {
    process.off("exit", this.flush);
    this.flush();
    closeSync(this.file);
  }

  private writeOut(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) from += writeSync(this.file, bytes, from);
  }
}
