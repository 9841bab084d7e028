/**
 * A position in a text of YAML. It moves forwards only, but for one look ahead at the lines behind
 * a plain scalar, and counts the characters that it passes: reading takes at most
 * `STEPS_PER_CHARACTER` steps for each.
 */
import { WorkBudget } from "../http/work-budget.ts";

/**
 * Each character is passed by a look ahead, by the search for a key's colon, by comments and by the
 * reading itself.
 */
export const STEPS_PER_CHARACTER = 8;
const STEPS_AT_LEAST = 1_024;

export class YamlError extends Error {
  override readonly name = "YamlError";
}

export interface YamlBounds {
  readonly depth: number;
  readonly values: number;
  readonly nameBytes: number;
}

const isSpace = (char: string | undefined): boolean => char === " " || char === "\t";
const isEnd = (char: string | undefined): boolean => char === undefined || char === "\n";

export class YamlCursor {
  readonly text: string;
  readonly bounds: YamlBounds;
  readonly work: WorkBudget;
  at = 0;
  line = 1;
  #lineStart = 0;
  #values = 0;

  constructor(text: string, bounds: YamlBounds) {
    this.text = text;
    this.bounds = bounds;
    const most = STEPS_AT_LEAST + STEPS_PER_CHARACTER * text.length;
    this.work = new WorkBudget(most, () => this.wrong("the text takes too long to read"));
  }

  get char(): string | undefined {
    return this.text[this.at];
  }

  get column(): number {
    return this.at - this.#lineStart;
  }

  get isDone(): boolean {
    return this.at >= this.text.length;
  }

  /** Whether the indicator here stands alone, as the dash of a list and the colon of a key do. */
  isAlone(indicator: string): boolean {
    if (this.char !== indicator) return false;
    const next = this.text[this.at + 1];
    return isSpace(next) || isEnd(next);
  }

  get isAtLineEnd(): boolean {
    return isEnd(this.char);
  }

  move(by: number): void {
    this.work.spend(by);
    this.at += by;
  }

  /** Back to where a look ahead began. */
  mark(): { readonly at: number; readonly line: number; readonly lineStart: number } {
    return { at: this.at, line: this.line, lineStart: this.#lineStart };
  }

  reset(mark: ReturnType<YamlCursor["mark"]>): void {
    this.at = mark.at;
    this.line = mark.line;
    this.#lineStart = mark.lineStart;
  }

  newLine(): void {
    this.move(1);
    this.line += 1;
    this.#lineStart = this.at;
  }

  skipSpaces(): void {
    const from = this.at;
    let { at } = this;
    while (isSpace(this.text[at])) at += 1;
    this.move(at - from);
  }

  /** The end of the line, without what `#` begins there. */
  skipComment(): void {
    const isComment =
      this.char === "#" && (this.at === 0 || /\s/.test(this.text[this.at - 1] ?? ""));
    if (isComment) this.move(this.lineEnd() - this.at);
  }

  lineEnd(): number {
    const end = this.text.indexOf("\n", this.at);
    return end === -1 ? this.text.length : end;
  }

  /** To the next character that says something; tabs may not indent it. */
  toContent(): void {
    for (;;) {
      const isIndent = this.column === 0;
      const from = this.at;
      this.skipSpaces();
      const isTabbed = isIndent && this.text.slice(from, this.at).includes("\t");
      this.skipComment();
      if (!this.isAtLineEnd) {
        if (isTabbed) throw this.wrong("a tab indents the line; use spaces");
        return;
      }
      if (this.isDone) return;
      this.newLine();
    }
  }

  /** After a value: nothing but a comment may follow on the line. */
  endLine(): void {
    this.skipSpaces();
    this.skipComment();
    if (!this.isAtLineEnd) throw this.wrong("something follows a value on the same line");
  }

  /** `---` and `...` begin and end documents. */
  isMarker(marker: "---" | "..."): boolean {
    if (this.column !== 0 || !this.text.startsWith(marker, this.at)) return false;
    const next = this.text[this.at + marker.length];
    return isSpace(next) || isEnd(next);
  }

  /** Counts a value that was begun, `depth` levels down. */
  begin(depth: number): void {
    this.#values += 1;
    if (this.#values > this.bounds.values) {
      throw this.wrong(`there are more than ${this.bounds.values} values`);
    }
    if (depth > this.bounds.depth) {
      throw this.wrong(`it nests deeper than ${this.bounds.depth} levels`);
    }
  }

  wrong(what: string): YamlError {
    return new YamlError(`line ${this.line}, column ${this.column + 1}: ${what}`);
  }
}
