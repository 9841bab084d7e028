/**
 * Collects what is wrong with a file, so that a person corrects all of it at once instead of
 * meeting one mistake per run.
 */
import { UserError } from "../shell/errors.ts";

export interface Mistake {
  readonly line: number;
  readonly column: number;
  /** The found value and the expected form, as a sentence. */
  readonly text: string;
}

/**
 * A page of mistakes is what a person works through; the rest is usually the same mistake again.
 */
const SHOWN = 20;

export class Mistakes {
  readonly file: string;
  readonly #found: Mistake[] = [];

  constructor(file: string) {
    this.file = file;
  }

  add(mistake: Mistake): void {
    this.#found.push(mistake);
  }

  /** Throws one error that names every mistake, in the order of the file. */
  throwIfAny(code: "invalid-yaml" | "invalid-file"): void {
    const sorted = this.#found.toSorted((a, b) => a.line - b.line || a.column - b.column);
    const [first, ...others] = sorted;
    if (!first) return;
    const lines = [first.text];
    for (const { line, column, text } of others.slice(0, SHOWN - 1)) {
      lines.push(`${this.file}:${line}:${column}: ${text}`);
    }
    if (sorted.length > SHOWN) lines.push(`… and ${sorted.length - SHOWN} more errors`);
    const { line, column } = first;
    throw new UserError(code, lines.join("\n"), { file: this.file, line, column });
  }
}
