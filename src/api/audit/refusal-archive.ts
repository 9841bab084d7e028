/**
 * Refused requests, kept beside the log (AZ53). Nothing of them is in the log, which a flood of
 * refusals would fill. Each caller has files of its own, one that is written and one that is full,
 * so a flood turns over the flooder's own files only. The lines of a caller are a hash chain.
 */
import { createHash } from "node:crypto";
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { limitValues } from "../../core/model/limits/limit.ts";
import { REFUSAL_LIMITS } from "../access/refusal-limits.ts";
import type { ShownRefusal } from "../access/refusals.ts";
import { chainOf, CHAIN_START, LineChain, LineChainReader } from "./line-chain.ts";
import { linesBackwards } from "./lines-backwards.ts";

export interface RefusalArchiveOptions {
  readonly folder: string;
  readonly nowMs: number;
  readonly limits?: Readonly<Record<keyof typeof REFUSAL_LIMITS, number>>;
  readonly onTrouble: (error: unknown) => void;
}

/** A line as it is kept: the same request may have two, of which the later has the whole count. */
export interface KeptRefusal extends ShownRefusal {
  /** The user and the minute. */
  readonly id: string;
}

export interface RefusalPage<Refusal extends ShownRefusal> {
  readonly entries: readonly Refusal[];
  /** The time before which there are more; left out: there are none. */
  readonly next?: string;
}

export interface RefusalsVerified {
  readonly callers: number;
  readonly lines: number;
  /** Left out: every line hangs on the one before it. */
  readonly broken?: string;
}

interface CallerFile {
  readonly path: string;
  readonly chain: LineChain;
  bytes: number;
  fullBytes: number;
}

const ENDING = ".jsonl";
const FULL = ".full";
/** A part of the bound: with many callers it is costly, and must not happen at every line. */
const LEFT_AFTER_SHRINKING = 0.9;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export class RefusalArchive {
  private readonly options: RefusalArchiveOptions;
  private readonly limits: NonNullable<RefusalArchiveOptions["limits"]>;
  private readonly files = new Map<string, CallerFile>();
  private bytes = 0;
  private work: Promise<void>;

  constructor(options: RefusalArchiveOptions) {
    this.options = options;
    this.limits = options.limits ?? limitValues(REFUSAL_LIMITS);
    this.work = this.open().catch(options.onTrouble);
  }

  /** One after the other; a caller that is refused waits for none of it. */
  add(refusals: readonly KeptRefusal[]): void {
    this.work = this.work.then(() => this.write(refusals)).catch(this.options.onTrouble);
  }

  /** The newest first, of one user or of all; each request once, with its whole count. */
  async newest(asked: {
    readonly limit: number;
    readonly user?: string;
    /** Earlier than this. */
    readonly before?: string;
  }): Promise<RefusalPage<KeptRefusal>> {
    await this.work;
    const { limit, user, before } = asked;
    const one = user === undefined ? undefined : this.files.get(nameOf(user));
    const files = user === undefined ? [...this.files.values()] : one === undefined ? [] : [one];
    const found: KeptRefusal[] = [];
    for (const { path } of files) found.push(...(await newestOf(path, limit + 1, before)));
    return pageOf(
      found.toSorted((a, b) => (a.time < b.time ? 1 : -1)),
      limit,
    );
  }

  async verify(): Promise<RefusalsVerified> {
    await this.work;
    let lines = 0;
    for (const { path } of this.files.values()) {
      // What came before the full file was dropped: its first line says what it hung on.
      let reader: LineChainReader | undefined;
      for (const half of [path + FULL, path]) {
        const all = (await textOf(half)).split("\n").filter((line) => line !== "");
        for (const [at, line] of all.entries()) {
          reader ??= new LineChainReader(startOf(line));
          const { fits } = reader.read(line);
          if (!fits) return { callers: this.files.size, lines, broken: placeOf(half, at + 1) };
          lines += 1;
        }
      }
    }
    return { callers: this.files.size, lines };
  }

  close(): Promise<void> {
    return this.work;
  }

  private async open(): Promise<void> {
    const { folder } = this.options;
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    for (const name of await readdir(folder)) {
      if (name.endsWith(ENDING)) await this.find(name.slice(0, -ENDING.length));
    }
  }

  private async find(name: string): Promise<void> {
    const { folder, nowMs } = this.options;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path + ENDING);
    if (nowMs - mtimeMs > this.limits.refusalsKeptMs) {
      await rm(path + ENDING);
      return;
    }
    if (name.endsWith(FULL)) return;
    const written = await textOf(path);
    // A crash may have cut the last line off.
    const whole = written.slice(0, written.lastIndexOf("\n") + 1);
    const bytes = Buffer.byteLength(whole);
    if (whole !== written) await truncate(path + ENDING, bytes);
    const full = await textOf(path + FULL);
    const last = (whole === "" ? full : whole).trimEnd().split("\n").at(-1) ?? "";
    const chain = new LineChain(chainOf(last) ?? CHAIN_START);
    const fullBytes = Buffer.byteLength(full);
    this.files.set(name, { path, bytes, fullBytes, chain });
    this.bytes += bytes + fullBytes;
  }

  private async write(refusals: readonly KeptRefusal[]): Promise<void> {
    const texts = new Map<CallerFile, string>();
    for (const refusal of refusals) {
      const file = this.fileOf(refusal.user);
      const { chain } = file;
      // The first line of a file says what it hangs on, also once the lines before it are dropped.
      const text = chain.line({ ...refusal, after: chain.chain });
      texts.set(file, `${texts.get(file) ?? ""}${text}\n`);
    }
    for (const [file, text] of texts) await this.append(file, text);
  }

  private async append(file: CallerFile, text: string): Promise<void> {
    const { refusalBytes, refusalBytesPerCaller } = this.limits;
    await appendFile(file.path + ENDING, text, { mode: FILE_MODE });
    const bytes = Buffer.byteLength(text);
    file.bytes += bytes;
    this.bytes += bytes;
    if (file.bytes > refusalBytesPerCaller / 2) await this.turnOver(file);
    if (this.bytes > refusalBytes) await this.shrink(refusalBytes * LEFT_AFTER_SHRINKING);
  }

  /** The full half of those with the most goes first, and only then what is left of any. */
  private async shrink(most: number): Promise<void> {
    const all = [...this.files].toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a));
    for (const [, file] of all) {
      if (this.bytes <= most) return;
      if (file.fullBytes === 0) continue;
      await rm(file.path + FULL + ENDING);
      this.bytes -= file.fullBytes;
      file.fullBytes = 0;
    }
    for (const [name, file] of all) {
      if (this.bytes <= most) return;
      await rm(file.path + ENDING);
      this.bytes -= file.bytes;
      this.files.delete(name);
    }
  }

  /** The full file goes, and the current one becomes full. */
  private async turnOver(file: CallerFile): Promise<void> {
    await rename(file.path + ENDING, file.path + FULL + ENDING);
    this.bytes -= file.fullBytes;
    file.fullBytes = file.bytes;
    file.bytes = 0;
    await appendFile(file.path + ENDING, "", { mode: FILE_MODE });
  }

  private fileOf(user: string): CallerFile {
    const name = nameOf(user);
    const known = this.files.get(name);
    if (known !== undefined) return known;
    const path = join(this.options.folder, name);
    const file = { path, bytes: 0, fullBytes: 0, chain: new LineChain() };
    this.files.set(name, file);
    return file;
  }
}

const sizeOf = ({ bytes, fullBytes }: CallerFile): number => bytes + fullBytes;

/** Entries of the same moment stay together: the next page begins before that. */
export function pageOf<Refusal extends ShownRefusal>(
  newest: readonly Refusal[],
  limit: number,
): RefusalPage<Refusal> {
  const last = newest[limit - 1]?.time;
  let end = Math.min(limit, newest.length);
  while (end < newest.length && newest[end]?.time === last) end += 1;
  const isWhole = end === newest.length || last === undefined;
  return { entries: newest.slice(0, end), ...(isWhole ? {} : { next: last }) };
}

/** A name may hold anything, and be longer than a file's. */
const nameOf = (user: string): string =>
  createHash("sha256").update(user).digest("hex").slice(0, 32);

async function newestOf(
  path: string,
  limit: number,
  before: string | undefined,
): Promise<readonly KeptRefusal[]> {
  const found = new Map<string, KeptRefusal>();
  for (const half of [path, path + FULL]) {
    for await (const lines of linesBackwards(half + ENDING)) {
      for (const line of lines) {
        const refusal = refusalIn(line);
        // The later line of a minute has the whole count, and comes first.
        if (refusal === undefined || found.has(refusal.id)) continue;
        if (before !== undefined && refusal.time >= before) continue;
        found.set(refusal.id, refusal);
        if (found.size >= limit) return [...found.values()];
      }
    }
  }
  return [...found.values()];
}

function refusalIn(line: string): KeptRefusal | undefined {
  try {
    const {
      chain: _,
      after: __,
      ...refusal
    } = JSON.parse(line) as KeptRefusal & {
      readonly chain: string;
      readonly after: string;
    };
    return refusal;
  } catch {
    return undefined;
  }
}

const startOf = (line: string): string => /"after":"([0-9a-f]{64})"/.exec(line)?.[1] ?? CHAIN_START;

const placeOf = (half: string, line: number): string =>
  `${half.split("/").at(-1)}${ENDING} line ${line}`;

const textOf = (path: string): Promise<string> => readFile(path + ENDING, "utf8").catch(() => "");
