/**
 * Plain data as YAML, for people to read and copy. A text that YAML could read as something else
 * stands in double quotes, where YAML reads the same escapes as JSON.
 */
export function yamlOf(value: unknown): string {
  return `${linesOf(value).join("\n")}\n`;
}

/** What no reader of YAML takes for a number, a truth value, a date or a mark of its own. */
const PLAIN = /^(?:[A-Za-z./][\w./+-]*(?: [\w./+-]+)*|\d+(?:m|ms|s|h|[KMGTP]i))$/;
const WORDS = /^(?:true|false|yes|no|on|off|null|nan|inf|[yn]|\.nan|\.inf)$/i;

function linesOf(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item) => indented(linesOf(item), "- "));
  }
  if (isRecord(value) && Object.keys(value).length > 0) {
    return Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .flatMap(([key, each]) => fieldLines(scalar(key), each));
  }
  return typeof value === "string" ? textLines(value) : [scalar(value)];
}

function fieldLines(key: string, value: unknown): readonly string[] {
  const lines = linesOf(value);
  if (isFilled(value)) return [`${key}:`, ...indented(lines, "  ")];
  const [first, ...rest] = lines;
  return [`${key}: ${first}`, ...rest];
}

/** Several lines are written as lines, where nothing at their ends would be lost. */
function textLines(text: string): readonly string[] {
  const isBlock = /^[^\s\n][^\n]*\n/.test(text) && /^[\t\n -~\u00a0-\ud7ff]*$/.test(text);
  if (!isBlock || /[ \t]\n|\n\n$|[ \t]$/.test(text)) return [scalar(text)];
  const hasEnd = text.endsWith("\n");
  const lines = (hasEnd ? text.slice(0, -1) : text).split("\n");
  return [hasEnd ? "|" : "|-", ...indented(lines, "  ")];
}

/** The mark is for the first line; the others stand below what follows it. */
const indented = (lines: readonly string[], mark: string): readonly string[] =>
  lines.map((line, at) => {
    if (line === "") return "";
    return (at === 0 ? mark : " ".repeat(mark.length)) + line;
  });

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isRecord(value) && Object.keys(value).length > 0;

function scalar(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "null";
  return PLAIN.test(value) && !WORDS.test(value) ? value : JSON.stringify(value);
}
