/**
 * Plain English, as far as a pattern can tell. A clause that hides its subject ("whoever waits",
 * "what is left is freed") makes a reader look for the actor: the noun names it at once.
 */
import { commentsOnly, stringsOnly, withoutComments } from "./blank.ts";
import { type Finding, isScript, isTest, lineOf, type SourceFile } from "./source-file.ts";
import { testTitles } from "./test-titles.ts";

/** Text that people read: tests may quote anything, and documents have other readers. */
const FOLDERS = ["src/", "web/", "bench/", "scripts/"];

const HIDDEN_SUBJECT =
  /\b(?:whoever|whomever|nobody|everybody)\b(?!-)|\bwhat (?:is|was|are|were)\b[^.,;:!?()`]{0,60}?\b(?:is|was|are|were)\b/gi;

/** Titles are short, so even a vague actor hides which component a test is about. */
const VAGUE_ACTOR = /\b(?:whoever|whomever|nobody|everybody|somebody|anybody)\b/gi;

const COMMENT_COLUMNS = 100;

/** The hidden subjects in a text, each with its offset. */
export function hiddenSubjects(text: string): { readonly at: number; readonly words: string }[] {
  return [...text.matchAll(HIDDEN_SUBJECT)].map((match) => ({ at: match.index, words: match[0] }));
}

export function findHiddenSubjects(files: readonly SourceFile[]): Finding[] {
  return files.filter(isRead).flatMap((file) =>
    hiddenSubjects(shownText(file))
      .filter(({ at }) => !isOneWord(file.text, at))
      .map(({ at, words }) => finding(file, at, words)),
  );
}

export function findHiddenSubjectsInComments(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(isRead)
    .flatMap((file) =>
      hiddenSubjects(joined(commentsOnly(file.text))).map(({ at, words }) =>
        finding(file, at, words),
      ),
    );
}

/** Contracts that several stores share have tests in files that are no tests themselves. */
export function findVagueTitles(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => isTest(path) || path.startsWith("test/contract/"))
    .flatMap(({ path, text }) =>
      testTitles(text).flatMap((title) =>
        [...title.text.matchAll(VAGUE_ACTOR)].map(
          ([word]) => `${path}:${title.line} has "${word}" in a title: name the actor.`,
        ),
      ),
    );
}

/** Comment lines past the hundredth column, as the numbers of their lines. */
export function longCommentLines(text: string): number[] {
  const lines = text.split("\n");
  return commentsOnly(text)
    .split("\n")
    .flatMap((comment, at) => {
      const line = lines[at] ?? "";
      const isLong = comment.trim() !== "" && line.length > COMMENT_COLUMNS;
      return isLong && !UNBREAKABLE.test(comment) ? [at + 1] : [];
    });
}

/** A tool's directive has to stay on one line, and so does an address. */
const UNBREAKABLE = /(?:oxlint|eslint|oxfmt|@ts)-|\bhttps?:\/\//;

export function findLongComments(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(isRead)
    .flatMap(({ path, text }) =>
      longCommentLines(text).map(
        (line) => `${path}:${line} has a comment past column ${COMMENT_COLUMNS}: wrap it.`,
      ),
    );
}

const isRead = ({ path }: SourceFile): boolean =>
  isScript(path) && !isTest(path) && FOLDERS.some((folder) => path.startsWith(folder));

/** Text between tags is code to the scanner: of a page all but its comments is looked at. */
const shownText = ({ path, text }: SourceFile): string =>
  path.endsWith("x") ? withoutComments(text) : stringsOnly(text);

/** A comment as one line, so that a clause is found that is broken over two; every offset stays. */
const joined = (comments: string): string =>
  comments.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/)?/g, (gap) => " ".repeat(gap.length));

/** A literal without a space is a value that programs compare, not prose. */
function isOneWord(text: string, at: number): boolean {
  const before = /["'`][^\s"'`]*$/.test(text.slice(0, at).slice(-40));
  return before && /^[^\s"'`]*["'`]/.test(text.slice(at));
}

const finding = ({ path, text }: SourceFile, at: number, words: string): Finding =>
  `${path}:${lineOf(text, at)} says "${words.replaceAll(/\s+/g, " ")}": name the actor or the thing.`;
