/**
 * Reads objects from YAML files, folders and standard input, keeping the place of everything in
 * them, so that what the plane has against an object can be shown at the line that says it.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { text as textOfStream } from "node:stream/consumers";
import { type Document, isMap, LineCounter, parseAllDocuments } from "yaml";
import { UserError } from "../../shell/errors.ts";
import { readInput } from "../../shell/read-input.ts";

export interface Manifest {
  readonly file: string;
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly object: Readonly<Record<string, unknown>>;
}

export interface Mistake {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

const EXTENSIONS = /\.(?:ya?ml|json)$/;

/**
 * `-` is standard input; a folder stands for the files in it, in the order of their names. A world
 * of `berth simulate` that lies in a folder is no mistake of the user, and is skipped.
 */
export async function readManifests(paths: readonly string[]): Promise<readonly Manifest[]> {
  const manifests: Manifest[] = [];
  const mistakes: Mistake[] = [];
  for (const path of paths.flatMap(filesOf)) {
    const isInput = path === "-";
    const text = isInput ? await textOfStream(process.stdin) : readInput(path);
    const read = parseManifests(text, isInput ? "<stdin>" : path);
    const isNamed = isInput || paths.includes(path);
    manifests.push(...read.manifests.filter((each) => isNamed || !isWorld(each)));
    mistakes.push(...read.mistakes);
  }
  throwMistakes("invalid-yaml", mistakes);
  if (manifests.length > 0) return manifests;
  throw UserError.worded(
    "invalid-file",
    INVALID_MANIFEST,
    `No objects found in ${paths.join(", ")}.`,
  );
}

/** What every world has and no object. */
const isWorld = ({ object }: Manifest): boolean =>
  !("kind" in object) && ["regions", "nodes", "tenants"].every((field) => field in object);

function filesOf(path: string): readonly string[] {
  if (path === "-" || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    return [path];
  return readdirSync(path)
    .filter((name) => EXTENSIONS.test(name))
    .toSorted()
    .map((name) => join(path, name));
}

export function parseManifests(
  text: string,
  file: string,
): { readonly manifests: readonly Manifest[]; readonly mistakes: readonly Mistake[] } {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  // For no document at all the parser returns an empty list of another class.
  const documents = "empty" in parsed ? [] : parsed;
  const manifests: Manifest[] = [];
  const mistakes: Mistake[] = [];
  for (const document of documents) {
    const add = (offset: number, said: string): void => {
      const { line, col } = lines.linePos(offset);
      mistakes.push({ file, line, column: col, text: said });
    };
    for (const { pos, message } of document.errors) add(pos[0], `${message.replace(/\.$/, "")}.`);
    // A document of nothing but comments, as before the first `---`.
    if (document.errors.length > 0 || document.contents === null) continue;
    if (isMap(document.contents)) {
      const object = document.toJS() as Readonly<Record<string, unknown>>;
      manifests.push({ file, document, lines, object });
    } else
      add(document.contents.range[0], "expected an object with apiVersion, kind and metadata.");
  }
  return { manifests, mistakes };
}

/** Said instead of "Invalid file.", which may be any kind of file. */
const INVALID_MANIFEST = "Invalid manifest.";

/**
 * A page of mistakes is what a person works through; the rest is usually the same mistake again.
 */
const SHOWN = 30;

/** Throws one error that names every mistake, file by file, from top to bottom. */
export function throwMistakes(
  code: "invalid-yaml" | "invalid-file",
  mistakes: readonly Mistake[],
): void {
  const files = [...new Set(mistakes.map(({ file }) => file))];
  const sorted = mistakes.toSorted(
    (a, b) =>
      files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
  const [first, ...others] = sorted;
  if (first === undefined) return;
  const { file, line, column } = first;
  const more = others.length > SHOWN ? [`… and ${others.length - SHOWN} more errors`] : [];
  const rest = others
    .slice(0, SHOWN)
    .map((each) => `${each.file}:${each.line}:${each.column}: ${each.text}`);
  const detail = [first.text, ...rest, ...more].join("\n");
  const place = { file, line, column };
  if (code === "invalid-yaml") throw new UserError(code, detail, place);
  throw UserError.worded(code, INVALID_MANIFEST, detail, place);
}
