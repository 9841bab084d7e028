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
  statSync,
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
const CONTENTS_NAME = /^[0-9a-f]{32}\.json$/;
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
  /** Of the contents that this chapter names. */
  private contentsBytes = 0;
  /** Which contents each chapter names, as far as anybody has asked. */
  private readonly contents = new Map<number, readonly string[]>();
  private buffer: string[] = [];
  private buffered = 0;
  private flushSoon: NodeJS.Immediate | undefined;

  constructor(options: RecorderOptions) {
    this.options = options;
    mkdirSync(options.folder, { recursive: true });
    this.chapter = this.chapters().at(-1) ?? 0;
  }

  /**
   * True when the plane should begin a new chapter at its next quiet moment. A chapter begins with the whole
   * state, so it lasts until it holds as much besides: one that is full from its first line on would be
   * followed by another, and nothing else would ever happen.
   */
  get isChapterFull(): boolean {
    return this.chapterBytes >= Math.max(this.chapterLimit, this.contentsBytes);
  }

  private get chapterLimit(): number {
    return this.options.chapterBytes ?? CHAPTER_BYTES;
  }

  beginChapter({ plane, seed, controllers, snapshot }: ChapterOf): void {
    this.flush();
    if (this.file !== undefined) closeSync(this.file);
    this.dropOldest();
    this.chapter += 1;
    this.file = openSync(this.pathOf(this.chapter), "w");
    this.chapterBytes = 0;
    this.contentsBytes = 0;
    this.contents.set(this.chapter, []);
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
    const recorded = this.redactor.encode(this.reduced(input, from));
    this.write(`[${JSON.stringify(component)},${atMs},${recorded},`);
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
      default:
        return input;
    }
  }

  /** Writes a large value once, under the name of its content. */
  private keep(value: unknown): string {
    const text = this.redactor.encode(value);
    const name = `${createHash("sha256").update(text).digest("hex").slice(0, 32)}.json`;
    const file = path.join(this.options.folder, name);
    if (!existsSync(file)) writeFileSync(file, text);
    this.contentsBytes += text.length;
    this.contents.set(this.chapter, [...this.namedIn(this.chapter), name]);
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

  /** Keeps the newest chapters that fit with the contents they name, and leaves room for the next. */
  private dropOldest(): void {
    let room = (this.options.totalBytes ?? TOTAL_BYTES) - this.chapterLimit;
    const needed = new Set<string>();
    for (const [age, chapter] of this.chapters().toReversed().entries()) {
      const names = this.namedIn(chapter);
      room -= this.sizeOf(this.pathOf(chapter));
      for (const name of names) {
        if (!needed.has(name)) room -= this.sizeOf(path.join(this.options.folder, name));
      }
      if (age > 0 && room < 0) {
        rmSync(this.pathOf(chapter));
        this.contents.delete(chapter);
      } else for (const name of names) needed.add(name);
    }
    for (const name of readdirSync(this.options.folder)) {
      if (CONTENTS_NAME.test(name) && !needed.has(name)) {
        rmSync(path.join(this.options.folder, name));
      }
    }
  }

  /** A chapter of an earlier life is read for it once. */
  private namedIn(chapter: number): readonly string[] {
    let names = this.contents.get(chapter);
    if (names === undefined) {
      const text = readFileSync(this.pathOf(chapter), "utf8");
      names = [...new Set(text.match(/\b[0-9a-f]{32}\.json\b/g))];
      this.contents.set(chapter, names);
    }
    return names;
  }

  private sizeOf(file: string): number {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }
}
