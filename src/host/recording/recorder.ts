/**
 * Writes a plane's recording: chapters of bounded size, the oldest dropped when there are too many.
 * Each chapter can be replayed by itself, because it begins with the authority's state and freshly
 * started controllers. An input is noted before its component sees it, and is in the file before
 * anything that came of it is handed to the store; what led to no commit follows a moment later.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER } from "../../shell/private-folder.ts";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type {
  AuthorityEffect,
  AuthorityInput,
  ClientEffect,
  ClientInput,
} from "../../core/kernel/component.ts";
import type { Revision } from "../../core/model/ids.ts";
import type { CopyTo } from "../store/log-store.ts";
import { ChapterFile } from "./chapter-file.ts";
import { FORMATS } from "../formats.ts";
import { encodeOutlines } from "./effect-outline.ts";
import { COPY_SUFFIX, type ChapterStart, type RecordedInput } from "./entry.ts";
import { Redactor } from "./redact.ts";
import { StateCopy } from "./state-copy.ts";

/**
 * Some forty thousand commands: replayed in seconds, and long enough for its beginning not to
 * count.
 */
const CHAPTER_BYTES = 64 * 2 ** 20;
/** What a recording may take on disk unless told otherwise. */
const TOTAL_BYTES = 256 * 2 ** 20;
const CONTENTS_NAME = /^[0-9a-f]{32}\.(json|claim)(\.part)?$/;
/** As many objects become text in a tenth of a second; more are written beside everything else. */
const WRITTEN_AT_ONCE = 20_000;
/**
 * How much a chapter holds for each byte of the state it began with: a ninth of it all is
 * repetition then.
 */
const STATES_A_CHAPTER = 8;

export interface RecorderOptions {
  readonly folder: string;
  readonly version: string;
  readonly chapterBytes?: number;
  readonly totalBytes?: number;
  /** States of so many objects are written before anything else goes on. */
  readonly writtenAtOnce?: number;
}

export interface ChapterOf {
  readonly plane: string;
  readonly seed: number;
  readonly controllers: readonly string[];
  readonly snapshot: Snapshot | undefined;
  /** The plane has followed the log to here and does not lead yet. */
  readonly isStandby?: true;
}

export class Recorder {
  private readonly options: RecorderOptions;
  private readonly redactor = new Redactor();
  private file: ChapterFile | undefined;
  private chapter = 0;
  /** Of the contents that this chapter names. */
  private contentsBytes = 0;
  /** Which contents each chapter names, as far as anybody has asked. */
  private readonly contents = new Map<number, readonly string[]>();
  /** The copy that the store was asked for; undefined once a chapter names it. */
  private copy: string | undefined;
  private copiedBytes: number | undefined;
  /** The state that the chapter began with, while it is being written. */
  private state: StateCopy | undefined;

  constructor(options: RecorderOptions) {
    this.options = options;
    mkdirSync(options.folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    this.chapter = this.chapters().at(-1) ?? 0;
  }

  /**
   * True when the plane should begin a new chapter at its next quiet moment. A chapter begins with
   * the whole state, so it lasts until it holds as much besides: one that is full from its first
   * line on would be followed by another, and nothing else would ever happen. It lasts eight times
   * as long where there is room for another such chapter, because writing the state and starting
   * the controllers is what recording costs most.
   */
  get isChapterFull(): boolean {
    const { contentsBytes } = this;
    const roomy = Math.min(STATES_A_CHAPTER * contentsBytes, this.totalLimit / 2 - contentsBytes);
    return (this.file?.bytes ?? 0) >= Math.max(this.chapterLimit, contentsBytes, roomy);
  }

  private get totalLimit(): number {
    return this.options.totalBytes ?? TOTAL_BYTES;
  }

  private get chapterLimit(): number {
    return this.options.chapterBytes ?? CHAPTER_BYTES;
  }

  beginChapter({ plane, seed, controllers, snapshot, isStandby }: ChapterOf): void {
    this.close();
    this.dropOldest();
    this.chapter += 1;
    this.file = new ChapterFile(this.pathOf(this.chapter));
    this.contentsBytes = 0;
    this.contents.set(this.chapter, []);
    const state = snapshot === undefined ? undefined : this.keepState(snapshot);
    const start: ChapterStart = {
      berthRecording: FORMATS.recording.written,
      version: this.options.version,
      plane,
      seed,
      controllers,
      state,
      ...(isStandby === undefined ? {} : { isStandby }),
    };
    this.file.write(`${JSON.stringify(start)}\n`);
  }

  /** For the store, before it is claimed: whatever it can copy itself need not be written here. */
  copyTo(): CopyTo {
    this.copy = newCopyName();
    this.copiedBytes = undefined;
    return { path: path.join(this.options.folder, this.copy), redactionKey: this.redactor.key };
  }

  /** How the store has fared with it. */
  copied(bytes: number | undefined): void {
    this.copiedBytes = bytes;
  }

  /** Called before the component is given the input. */
  input(
    component: string,
    atMs: number,
    input: ClientInput | AuthorityInput,
    from: Revision,
  ): void {
    const recorded = this.redactor.encode(this.reduced(input, from));
    // Apart, because joining them would copy the long one.
    this.file?.write(`[${JSON.stringify(component)},${atMs},`);
    this.file?.write(recorded);
  }

  /** Called with what the component did about it. */
  effects(effects: readonly (AuthorityEffect | ClientEffect)[]): void {
    this.file?.write(`,${encodeOutlines(effects)}]\n`);
    if (effects.some(({ kind }) => kind === "append")) this.file?.flush();
  }

  close(): void {
    this.state?.finish();
    this.state = undefined;
    this.file?.close();
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
        const contents = this.takeCopy() ?? this.keep({ snapshot, commits });
        return { kind: "claimed", epoch: input.epoch, contents };
      }
      default:
        return input;
    }
  }

  private keepState(snapshot: Snapshot): string {
    const { folder, writtenAtOnce = WRITTEN_AT_ONCE } = this.options;
    if (snapshot.objects.length <= writtenAtOnce) return this.keep({ snapshot });
    const name = newCopyName();
    const to = { path: path.join(folder, name), redactionKey: this.redactor.key };
    // What it takes is known when it is written; the log's own text is about as long.
    this.names(name, 0);
    this.state = new StateCopy(snapshot, to, (bytes = 0) => {
      this.contentsBytes += bytes;
    });
    return name;
  }

  /** Writes a large value once, under the name of its content. */
  private keep(value: unknown): string {
    const text = this.redactor.encode(value);
    const name = `${createHash("sha256").update(text).digest("hex").slice(0, 32)}.json`;
    const file = path.join(this.options.folder, name);
    if (!existsSync(file)) writeFileSync(file, text, { mode: OWNER_ONLY_FILE });
    this.names(name, text.length);
    return name;
  }

  private takeCopy(): string | undefined {
    const { copy, copiedBytes } = this;
    this.copy = undefined;
    if (copy === undefined || copiedBytes === undefined) return undefined;
    this.names(copy, copiedBytes);
    return copy;
  }

  private names(name: string, bytes: number): void {
    this.contentsBytes += bytes;
    this.contents.set(this.chapter, [...this.namedIn(this.chapter), name]);
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

  /**
   * Keeps the newest chapters that fit with the contents they name, and leaves room for the next.
   */
  private dropOldest(): void {
    let room = this.totalLimit - this.chapterLimit;
    // No chapter names the copy of a claim before the claim is recorded.
    const needed = new Set(this.copy === undefined ? [] : [this.copy]);
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

  /** A chapter of an earlier incarnation is read for it once. */
  private namedIn(chapter: number): readonly string[] {
    let names = this.contents.get(chapter);
    if (names === undefined) {
      const text = readFileSync(this.pathOf(chapter), "utf8");
      names = [...new Set(text.match(/\b[0-9a-f]{32}\.(json|claim)\b/g))];
      this.contents.set(chapter, names);
    }
    return names;
  }

  private sizeOf(file: string): number {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }
}

/** By chance and not by content, because the content is known only when it is written. */
const newCopyName = (): string => `${randomUUID().replaceAll("-", "")}${COPY_SUFFIX}`;
