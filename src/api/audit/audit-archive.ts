/**
 * What people and tokens did, and what was destroyed and why, kept beyond the log: a minute of load
 * fills the revisions that a store keeps, and the trail must not end there (ID8). Entries are made
 * of durable commits, so a plane that was killed makes what is missing anew from the log when it
 * starts.
 *
 * Each caller has files of its own, one that is written and one that is full. A flood turns over
 * the flooder's own files only. Commits of the plane's own controllers without evidence, and
 * reports of agents, are not kept.
 */
import { createHash } from "node:crypto";
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { operationSpace } from "../../core/protocol/operation-space.ts";
import { limitValues } from "../../core/model/limits/limit.ts";
import type { Revision } from "../../core/model/ids.ts";
import { actorKindOf, type AuditEntry, auditEntry } from "./audit-entry.ts";
import { AUDIT_LIMITS } from "./audit-limits.ts";
import { linesBackwards } from "./lines-backwards.ts";

export type ArchiveLimits = Readonly<Record<keyof typeof AUDIT_LIMITS, number>>;

export interface ArchiveOptions {
  readonly folder: string;
  readonly nowMs: number;
  readonly limits?: ArchiveLimits;
  /** How long a write waits for more to come. */
  readonly gatherMs?: number;
  /** What could not be written is missing until the plane starts again; nothing waits for it. */
  readonly onTrouble: (error: unknown) => void;
}

interface CallerFile {
  readonly path: string;
  bytes: number;
  /** Of the file that is full. */
  fullBytes: number;
  /** The newest that is written; earlier ones were kept before. */
  last: Revision;
}

/**
 * A write of a file costs more than an entry: what a busy moment brings goes out with one. A plane
 * that is killed meanwhile makes the entries anew from the log.
 */
const GATHER_MS = 250;
/** Held in memory meanwhile; a plane commits fewer in that time. */
const GATHERED_MOST = 4_096;
const ENDING = ".jsonl";
const FULL = ".full";
/** Entries name callers, objects and reasons: for the user that the plane runs as only. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export class AuditArchive {
  private readonly folder: string;
  private readonly limits: ArchiveLimits;
  private readonly files = new Map<string, CallerFile>();
  private work: Promise<void> = Promise.resolve();
  private gathered: Commit[] = [];
  private gathering: { readonly timer: NodeJS.Timeout; readonly write: () => void } | undefined;

  private readonly onTrouble: (error: unknown) => void;
  private readonly gatherMs: number;

  private constructor({ folder, limits, gatherMs = GATHER_MS, onTrouble }: ArchiveOptions) {
    this.folder = folder;
    this.gatherMs = gatherMs;
    this.limits = limits ?? limitValues(AUDIT_LIMITS);
    this.onTrouble = onTrouble;
  }

  static async open(options: ArchiveOptions): Promise<AuditArchive> {
    const { folder, nowMs } = options;
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    const archive = new AuditArchive(options);
    for (const name of await readdir(folder)) {
      if (name.endsWith(ENDING)) await archive.find(name.slice(0, -ENDING.length), nowMs);
    }
    return archive;
  }

  /** Whether it is one to keep, and is not kept yet. */
  lacks(commit: Signed): boolean {
    return isKept(commit) && commit.revision > this.fileOf(callerOf(commit)).last;
  }

  /** In the order of revisions; duplicates are dropped. Resolves when they are written. */
  add(commits: readonly Commit[]): Promise<void> {
    for (const commit of commits) if (isKept(commit)) this.gathered.push(commit);
    if (this.gathered.length === 0) return this.work;
    if (this.gathering === undefined) this.gather();
    else if (this.gathered.length >= GATHERED_MOST) this.gathering.write();
    return this.work;
  }

  private gather(): void {
    const due = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.gatherMs);
      this.gathering = { timer, write: resolve };
    });
    this.work = this.work
      .then(() => due)
      .then(() => this.writeGathered())
      .catch(this.onTrouble);
  }

  private writeGathered(): Promise<void> {
    clearTimeout(this.gathering?.timer);
    this.gathering = undefined;
    const commits = this.gathered;
    this.gathered = [];
    return this.write(commits);
  }

  /** Without waiting for more to come. */
  private written(): Promise<void> {
    this.gathering?.write();
    return this.work;
  }

  /**
   * Newest first, those before a revision that fit; `words` are texts that each of their lines must
   * hold.
   */
  async before(
    before: Revision,
    of: {
      readonly limit: number;
      readonly words: readonly string[];
      readonly fits: (entry: AuditEntry) => boolean;
    },
  ): Promise<readonly AuditEntry[]> {
    await this.written();
    const found: AuditEntry[] = [];
    for (const { path } of this.files.values()) {
      found.push(...(await newestOf(path, before, of)));
    }
    return found.toSorted((a, b) => b.revision - a.revision).slice(0, of.limit);
  }

  /** Waits for what is under way. */
  close(): Promise<void> {
    return this.written();
  }

  private async find(caller: string, nowMs: number): Promise<void> {
    const path = join(this.folder, caller);
    if (caller.endsWith(FULL)) {
      const { mtimeMs } = await stat(path + ENDING);
      if (nowMs - mtimeMs > this.limits.auditKeptMs) await rm(path + ENDING);
      return;
    }
    const written = await textOf(path);
    // A crash may have cut the last line off; it is made anew from the log.
    const whole = written.slice(0, written.lastIndexOf("\n") + 1);
    const bytes = Buffer.byteLength(whole);
    if (whole !== written) await truncate(path + ENDING, bytes);
    const full = await textOf(path + FULL);
    const last = lastRevision(whole) || lastRevision(full);
    this.files.set(caller, { path, bytes, fullBytes: Buffer.byteLength(full), last });
  }

  private async write(commits: readonly Commit[]): Promise<void> {
    const texts = new Map<CallerFile, string>();
    for (const commit of commits) {
      const entry = this.lacks(commit) ? auditEntry(commit) : undefined;
      if (entry === undefined) continue;
      const file = this.fileOf(callerOf(commit));
      file.last = commit.revision;
      texts.set(file, `${texts.get(file) ?? ""}${JSON.stringify(entry)}\n`);
    }
    for (const [file, text] of texts) await this.append(file, text);
  }

  private async append(file: CallerFile, text: string): Promise<void> {
    const { auditBytes, auditBytesPerCaller } = this.limits;
    await appendFile(file.path + ENDING, text, { mode: FILE_MODE });
    file.bytes += Buffer.byteLength(text);
    if (file.bytes > auditBytesPerCaller / 2) await turnOver(file);
    const all = [...this.files.values()];
    if (all.reduce((sum, one) => sum + one.bytes + one.fullBytes, 0) <= auditBytes) return;
    const most = all.reduce((a, b) => (b.bytes + b.fullBytes > a.bytes + a.fullBytes ? b : a));
    await turnOver(most);
  }

  private fileOf(caller: string): CallerFile {
    // A name may hold anything, and be longer than a file's.
    const name = createHash("sha256").update(caller).digest("hex").slice(0, 32);
    const known = this.files.get(name);
    if (known !== undefined) return known;
    const file = { path: join(this.folder, name), bytes: 0, fullBytes: 0, last: 0 };
    this.files.set(name, file);
    return file;
  }
}

/** The full file goes, and the current one becomes full. */
async function turnOver(file: CallerFile): Promise<void> {
  await rename(file.path + ENDING, file.path + FULL + ENDING);
  file.fullBytes = file.bytes;
  file.bytes = 0;
  // An empty file says that there is one: it is found by its name when the plane starts again.
  await appendFile(file.path + ENDING, "", { mode: FILE_MODE });
}

type Signed = Pick<Commit, "revision" | "actor" | "command" | "evidence">;

const isKept = (commit: Signed): boolean =>
  actorKindOf(commit) === "human" ||
  commit.command === "lead" ||
  commit.actor.by?.kind === "controller" ||
  (commit.evidence !== undefined && commit.command !== "roll");

/**
 * Whose share it takes. On the plane's own machine every user may take any name, so they share one.
 */
function callerOf({ actor }: Signed): string {
  const { by, name } = actor;
  if (by === undefined) return operationSpace(actor);
  return by.kind === "local" ? "local" : `${by.kind}:${by.name ?? name}`;
}

async function newestOf(
  path: string,
  before: Revision,
  { limit, words, fits }: Parameters<AuditArchive["before"]>[1],
): Promise<readonly AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (const half of [path, path + FULL]) {
    for await (const lines of linesBackwards(half + ENDING)) {
      for (const line of lines) {
        const revision = revisionOf(line);
        if (revision === 0 || revision >= before) continue;
        // Reading a line costs more than finding that it cannot be meant.
        if (!words.every((word) => line.includes(word))) continue;
        const entry = entryOf(line);
        if (entry !== undefined && fits(entry)) found.push(entry);
        if (found.length >= limit) return found;
      }
    }
  }
  return found;
}

const lastRevision = (text: string): Revision =>
  revisionOf(text.trimEnd().split("\n").at(-1) ?? "");

const textOf = (path: string): Promise<string> => readFile(path + ENDING, "utf8").catch(() => "");

/** Zero for what is no line; the last one may have been cut off by a crash. */
const revisionOf = (line: string): Revision => Number(/^\{"revision":(\d+),/.exec(line)?.[1] ?? 0);

function entryOf(line: string): AuditEntry | undefined {
  try {
    return JSON.parse(line) as AuditEntry;
  } catch {
    return undefined;
  }
}
