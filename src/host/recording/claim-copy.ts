/**
 * The copy that a recording has of what a claim found in the log. The thread that loads the log
 * writes it as it goes, in the log's own encoding: the plane's thread has better things to do while
 * it starts, and text of two hundred thousand objects would take it longer than everything else.
 * One part a line, and the first letter says which kind it is of.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writevSync } from "node:fs";
import { OWNER_ONLY_FILE } from "../../shell/private-folder.ts";
import { decodeJson, encodeJson } from "../store/batch-encoding.ts";
import type { LogPart } from "../store/load-log.ts";
import { LoadedLog } from "../store/loaded-log.ts";
import type { Claimed, CopyTo } from "../store/log-store.ts";
import { HAS_ENVIRONMENT, Redactor } from "./redact.ts";

const LETTERS = { head: "h", chunk: "c", batch: "b" } as const;
const NEWLINE = 0x0a;

export class ClaimCopy {
  private readonly path: string;
  private readonly redactor: Redactor;
  private file: number | undefined;
  private bytes = 0;

  constructor({ path, redactionKey }: CopyTo) {
    this.path = path;
    this.redactor = new Redactor(redactionKey);
    this.attempt(() => {
      this.file = openSync(path, "w", OWNER_ONLY_FILE);
    });
  }

  add(part: LogPart): void {
    if (this.file === undefined || part.kind === "note") return;
    this.attempt(() => {
      // A second head takes back all that came before.
      if (part.kind === "head") this.begin();
      const body = part.kind === "head" ? encodeJson(part.head ?? null) : this.redacted(part.body);
      this.write([Buffer.from(LETTERS[part.kind]), body, Buffer.from("\n")]);
    });
  }

  /** How large it has become; undefined when it could not be written, and then there is none. */
  finish(): number | undefined {
    const { bytes } = this;
    const isWhole = this.file !== undefined;
    this.attempt(() => this.close());
    return isWhole ? bytes : undefined;
  }

  abandon(): void {
    try {
      this.close();
    } finally {
      rmSync(this.path, { force: true });
    }
  }

  private begin(): void {
    if (this.file !== undefined) ftruncateSync(this.file);
    this.bytes = 0;
  }

  private redacted(body: Uint8Array): Uint8Array {
    const { buffer, byteOffset, byteLength } = body;
    if (!Buffer.from(buffer, byteOffset, byteLength).includes(HAS_ENVIRONMENT)) return body;
    return encodeJson(this.redactor.redact(decodeJson(body)));
  }

  private write(pieces: readonly Uint8Array[]): void {
    if (this.file === undefined) return;
    const bytes = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
    // A disk that is nearly full takes a part and says nothing.
    if (writevSync(this.file, pieces, this.bytes) < bytes) throw new Error("The disk is full.");
    this.bytes += bytes;
  }

  /**
   * A claim must not fail for its copy: the recorder finds it missing and writes its own, or says
   * why it cannot.
   */
  private attempt(step: () => void): void {
    try {
      step();
    } catch {
      this.abandon();
    }
  }

  private close(): void {
    const { file } = this;
    this.file = undefined;
    if (file !== undefined) closeSync(file);
  }
}

export function readClaimCopy(path: string): Pick<Claimed, "snapshot" | "commits"> {
  const bytes = readFileSync(path);
  const log = new LoadedLog();
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, from);
    if (end < 0) break;
    const letter = String.fromCharCode(bytes[from] ?? 0);
    log.add(partOf(letter, bytes.subarray(from + 1, end)));
    from = end + 1;
  }
  return log.contents();
}

function partOf(letter: string, body: Uint8Array): LogPart {
  switch (letter) {
    case LETTERS.chunk:
      return { kind: "chunk", body };
    case LETTERS.batch:
      return { kind: "batch", body };
    default:
      return { kind: "head", head: (decodeJson(body) ?? undefined) as never };
  }
}
