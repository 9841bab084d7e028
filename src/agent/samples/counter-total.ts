/**
 * What a counter stands at, read from a page in Prometheus' text format 0.0.4: all series of its
 * name together. It is strict, because a page that is half understood would give a wrong number
 * that looks true.
 */

/** The number, or what keeps it from being known, in words that follow "GET /metrics at …". */
export type CounterTotal = { readonly total: number } | { readonly missing: string };

/**
 * Name, labels between their braces, value, and when it was taken, which is the page's own matter.
 * No two parts that follow each other can match the same character: a page is somebody else's, and
 * must not be able to keep us busy.
 */
const SAMPLE =
  /^([A-Za-z_:][\w:]*)(?:[ \t]*\{((?:[^"}]|"(?:[^"\\]|\\[\\"n])*")*)\}[ \t]*|[ \t]+)([^\s{]+)(?:[ \t]+(-?\d+))?$/;
const LABEL = /^[ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*"((?:[^"\\]|\\[\\"n])*)"[ \t]*(?:,|$)/;
const TYPE = /^#[ \t]*TYPE[ \t]+(\S+)[ \t]+(\S+)$/;
const TYPES: ReadonlySet<string> = new Set(["counter", "gauge", "histogram", "summary", "untyped"]);
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const NO_NUMBER: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["+inf", Number.POSITIVE_INFINITY],
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
]);

/** A page's line is a name and a few labels. */
const LINE_CHARACTERS = 65_536;

/** As long as a line may be in what people are told. */
const SHOWN_CHARACTERS = 60;

class Page {
  private readonly name: string;
  private readonly series = new Map<string, number>();
  private type: string | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** What is wrong with the line, if anything is. */
  take(line: string): string | undefined {
    if (line === "") return undefined;
    if (line.length > LINE_CHARACTERS) return `it has more than ${LINE_CHARACTERS} characters`;
    return line.startsWith("#") ? this.takeComment(line) : this.takeSample(line);
  }

  private takeComment(line: string): string | undefined {
    if (!/^#[ \t]*TYPE[ \t]/.test(line)) return undefined;
    const [, name, type = ""] = TYPE.exec(line) ?? [];
    if (!TYPES.has(type)) return "it has no type";
    if (name !== this.name) return undefined;
    if (this.type !== undefined || this.series.size > 0) return "its type follows its samples";
    this.type = type;
    return undefined;
  }

  private takeSample(line: string): string | undefined {
    const [, name = "", labels = "", text = ""] = SAMPLE.exec(line) ?? [];
    const value = numberOf(text);
    const series = labels === "" ? "" : seriesOf(labels);
    if (value === undefined || series === undefined) return "it is not a sample";
    if (name !== this.name) return undefined;
    if (this.series.has(series)) return "it is a duplicate";
    this.series.set(series, value);
    return undefined;
  }

  get total(): CounterTotal {
    const { name, type, series } = this;
    if (type === undefined && series.size === 0) return { missing: `has no counter ${name}` };
    if (type !== undefined && type !== "counter" && type !== "untyped") {
      return { missing: `has ${name} as a ${type}, not a counter` };
    }
    let total = 0;
    for (const value of series.values()) {
      if (!(value >= 0)) return { missing: `has the invalid value ${value} for ${name}` };
      total += value;
    }
    // Beyond this the difference between two looks is no longer exact.
    return total <= Number.MAX_SAFE_INTEGER
      ? { total }
      : { missing: `has ${total} for ${name}, which is too large` };
  }
}

export function counterTotal(text: string, name: string): CounterTotal {
  // A page that ends within a line is a part of a page.
  if (!text.endsWith("\n")) return { missing: "does not end with the end of a line" };
  const page = new Page(name);
  let line = 1;
  for (let from = 0; from < text.length; line += 1) {
    const to = text.indexOf("\n", from);
    const written = text.slice(from, to).trim();
    const wrong = page.take(written);
    if (wrong !== undefined) {
      const shown = written.slice(0, SHOWN_CHARACTERS);
      return { missing: `cannot be read at line ${line}: ${wrong}: ${JSON.stringify(shown)}` };
    }
    from = to + 1;
  }
  return page.total;
}

function numberOf(text: string): number | undefined {
  return NUMBER.test(text) ? Number(text) : NO_NUMBER.get(text.toLowerCase());
}

/** The same for the same labels in whatever order; undefined: they are no labels. */
function seriesOf(labels: string): string | undefined {
  const found = new Map<string, string>();
  let rest = labels;
  while (rest.trim() !== "") {
    const [whole, name, value] = LABEL.exec(rest) ?? [];
    if (whole === undefined || name === undefined || found.has(name)) return undefined;
    found.set(name, value ?? "");
    rest = rest.slice(whole.length);
  }
  return JSON.stringify([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
