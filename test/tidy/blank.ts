/**
 * Blanks what is not code, so that a scan for a word does not stumble over prose. Every character keeps its
 * place and every line its number. It knows TypeScript's lexical rules, not its grammar: a slash begins a
 * regular expression when what stands before it cannot end a value.
 */
type Part = "code" | "comment" | "string";

/** Only the code: comments, and the insides of strings, templates and regular expressions become spaces. */
export const codeOnly = (source: string): string => keep(source, ["code"]);

/** Code and strings: only comments become spaces. */
export const withoutComments = (source: string): string => keep(source, ["code", "string"]);

/** Only what stands inside strings and templates. */
export const stringsOnly = (source: string): string => keep(source, ["string"]);

/** Only the comments. */
export const commentsOnly = (source: string): string => keep(source, ["comment"]);

function keep(source: string, kept: readonly Part[]): string {
  const parts = partsOf(source);
  let text = "";
  for (let from = 0; from < source.length;) {
    const part = parts[from] ?? "code";
    let to = from + 1;
    while (to < source.length && parts[to] === part) to += 1;
    const run = source.slice(from, to);
    text += kept.includes(part) ? run : run.replaceAll(/[^\n]/g, " ");
    from = to;
  }
  return text;
}

/** Several scans ask about one file after the other. */
let last: { readonly source: string; readonly parts: readonly Part[] } = { source: "", parts: [] };

function partsOf(source: string): readonly Part[] {
  if (last.source !== source) last = { source, parts: classify(source) };
  return last.parts;
}

/** The part each character belongs to; quotes count as code, what they enclose as a string. */
function classify(source: string): Part[] {
  const parts: Part[] = Array.from({ length: source.length }, () => "code");
  // One entry per template we are inside of: the count of braces open in its current `${`.
  const templates: number[] = [];
  let at = 0;
  const mark = (end: number, part: Part): void => {
    parts.fill(part, at, end);
    at = end;
  };
  const skipQuoted = (end: number): void => {
    at += 1;
    mark(Math.max(at, end - 1), "string");
    at += 1;
  };
  const skipTemplateText = (): void => {
    const end = endOfTemplateText(source, at);
    mark(end, "string");
    if (source[at] === "$") {
      templates.push(0);
      at += 2;
    } else at += 1;
  };
  while (at < source.length) {
    const char = source.charAt(at);
    const open = templates.at(-1);
    if (source.startsWith("//", at)) mark(endOr(source, "\n", at), "comment");
    else if (source.startsWith("/*", at)) mark(endOr(source, "*/", at + 2, 2), "comment");
    else if (char === '"' || char === "'") skipQuoted(endOfQuoted(source, at, char));
    else if (char === "/" && beginsRegExp(source, parts, at)) skipQuoted(endOfRegExp(source, at));
    else if (char === "`") {
      at += 1;
      skipTemplateText();
    } else if (char === "}" && open === 0) {
      templates.pop();
      at += 1;
      skipTemplateText();
    } else {
      if (open !== undefined && char === "{") templates[templates.length - 1] = open + 1;
      if (open !== undefined && char === "}") templates[templates.length - 1] = open - 1;
      at += 1;
    }
  }
  return parts;
}

function endOr(source: string, mark: string, from: number, past = 0): number {
  const found = source.indexOf(mark, from);
  return found === -1 ? source.length : found + past;
}

function endOfQuoted(source: string, start: number, quote: string): number {
  let at = start + 1;
  while (at < source.length && source[at] !== quote) at += source[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, source.length);
}

function endOfRegExp(source: string, start: number): number {
  let at = start + 1;
  let inClass = false;
  while (at < source.length && (inClass || source[at] !== "/")) {
    if (source[at] === "[") inClass = true;
    if (source[at] === "]") inClass = false;
    at += source[at] === "\\" ? 2 : 1;
  }
  return Math.min(at + 1, source.length);
}

function endOfTemplateText(source: string, start: number): number {
  let at = start;
  while (at < source.length && source[at] !== "`" && !source.startsWith("${", at)) {
    at += source[at] === "\\" ? 2 : 1;
  }
  return Math.min(at, source.length);
}

function beginsRegExp(source: string, parts: readonly Part[], at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (parts[before] === "comment" || /\s/.test(source.charAt(before))))
    before -= 1;
  if (before < 0) return true;
  if (!/[\w$)\]}"'`]/.test(source.charAt(before))) return true;
  return /(?:^|[^\w$.])(?:return|typeof|case|in|of|void|throw)$/.test(
    source.slice(Math.max(0, before - 8), before + 1),
  );
}
