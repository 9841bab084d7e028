/**
 * Writes a plane's recording: chapters of bounded size, the oldest dropped when there are too many. Each
 * chapter can be replayed by itself, because it begins with the authority's state and freshly started
 * controllers. An input is on its way to the disk before its component sees it; the digest of the turn
 * follows with the next write.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import type { Snapshot } from "../../core/commit/snapshot.ts";
import type {
  AuthorityEffect,
  AuthorityInput,
  ClientEffect,
  ClientInput,
} from "../../core/kernel/component.ts";
import type { Revision } from "../../core/model/ids.ts";
import { effectDigest } from "./effect-digest.ts";
import { type ChapterStart, type RecordedInput, RECORDING_FORMAT } from "./entry.ts";
import { Redactor } from "./redact.ts";

/** Small enough to be read back in seconds, large enough to hold minutes of a busy plane. */
const CHAPTER_BYTES = 16 * 2 ** 20;
/** What a recording may take on disk unless told otherwise. */
const TOTAL_BYTES = 256 * 2 ** 20;
/** Written together: a write per input would cost more than the inputs. */
const BUFFER_BYTES = 64 * 2 ** 10;

export interface RecorderOptions {
  readonly folder: string;
  readonly version: string;
  readonly chapterBytes?: number;
  readonly totalBytes?: number;
}

export interface ChapterOf {
  readonly plane: string;
  readonly seed: number;
  readonly controllers: readonly string[];
  readonly snapshot: Snapshot | undefined;
}

export class Recorder {
  private readonly options: RecorderOptions;
  private readonly redactor = new Redactor();
  private file: number | undefined;
  private chapter = 0;
  private chapterBytes = 0;
  private buffer: string[] = [];
  private buffered = 0;
  private flushSoon: NodeJS.Immediate | undefined;

  constructor(options: RecorderOptions) {
    this.options = options;
    mkdirSync(options.folder, { recursive: true });
    this.chapter = this.chapters().at(-1) ?? 0;
  }

  /** True when the plane should begin a new chapter at its next quiet moment. */
  get isChapterFull(): boolean {
    return this.chapterBytes >= (this.options.chapterBytes ?? CHAPTER_BYTES);
  }

  beginChapter({ plane, seed, controllers, snapshot }: ChapterOf): void {
    this.flush();
    if (this.file !== undefined) closeSync(this.file);
    this.dropOldest();
    this.chapter += 1;
    this.file = openSync(this.pathOf(this.chapter), "w");
    this.chapterBytes = 0;
    const state = snapshot === undefined ? undefined : this.keep({ snapshot });
    const start: ChapterStart = {
      berthRecording: RECORDING_FORMAT,
      version: this.options.version,
      plane,
      seed,
      controllers,
      state,
    };
    this.write(`${JSON.stringify(start)}\n`);
  }

  /** Called before the component is given the input. */
  input(
    component: string,
    atMs: number,
    input: ClientInput | AuthorityInput,
    from: Revision,
  ): void {
    const recorded = this.reduced(input, from);
    this.write(`[${JSON.stringify(component)},${atMs},${JSON.stringify(recorded)},`);
  }

  /** Called with what the component did about it. */
  effects(effects: readonly (AuthorityEffect | ClientEffect)[]): void {
    this.write(`${effectDigest(effects)}]\n`);
  }

  close(): void {
    this.flush();
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private reduced(input: ClientInput | AuthorityInput, from: Revision): RecordedInput {
    switch (input.kind) {
      case "watch":
        return { kind: "watch", from, to: input.to, epoch: input.epoch };
      case "listed":
        return { kind: "listed", revision: input.revision, epoch: input.epoch };
      case "claimed": {
        const { snapshot, commits } = input;
        return { kind: "claimed", epoch: input.epoch, contents: this.keep({ snapshot, commits }) };
      }
      case "request":
        return this.redactor.redact(input);
      default:
        return input;
    }
  }

  /** Writes a large value once, under the name of its content. */
  private keep(value: unknown): string {
    const text = JSON.stringify(this.redactor.redact(value));
    const name = `${createHash("sha256").update(text).digest("hex").slice(0, 32)}.json`;
    const file = path.join(this.options.folder, name);
    if (!existsSync(file)) writeFileSync(file, text);
    this.chapterBytes += text.length;
    return name;
  }

  private write(text: string): void {
    this.buffer.push(text);
    this.buffered += text.length;
    this.chapterBytes += text.length;
    if (this.buffered >= BUFFER_BYTES) this.flush();
    else this.flushSoon ??= setImmediate(() => this.flush());
  }

  private flush(): void {
    if (this.flushSoon !== undefined) clearImmediate(this.flushSoon);
    this.flushSoon = undefined;
    if (this.file !== undefined && this.buffer.length > 0) {
      writeSync(this.file, this.buffer.join(""));
    }
    this.buffer = [];
    this.buffered = 0;
  }

  private pathOf(chapter: number): string {
    return path.join(this.options.folder, `chapter-${String(chapter).padStart(6, "0")}.jsonl`);
  }

  private chapters(): readonly number[] {
    return readdirSync(this.options.folder)
      .flatMap((name) => /^chapter-(\d+)\.jsonl$/.exec(name)?.[1] ?? [])
      .map(Number)
      .toSorted((a, b) => a - b);
  }

  /** Keeps the newest chapters that fit, and the contents they name. */
  private dropOldest(): void {
    const most =
      (this.options.totalBytes ?? TOTAL_BYTES) / (this.options.chapterBytes ?? CHAPTER_BYTES);
    const kept = this.chapters().slice(-Math.max(1, Math.floor(most) - 1));
    for (const chapter of this.chapters()) {
      if (!kept.includes(chapter)) rmSync(this.pathOf(chapter));
    }
    const text = kept.map((chapter) => readFileSync(this.pathOf(chapter), "utf8")).join("");
    for (const name of readdirSync(this.options.folder)) {
      if (/^[0-9a-f]{32}\.json$/.test(name) && !text.includes(name)) {
        rmSync(path.join(this.options.folder, name));
      }
    }
  }
}
