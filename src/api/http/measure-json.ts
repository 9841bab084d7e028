/**
 * How much there is in a JSON text, before anything is made of it. Reads each character once and
 * stops at the first bound that is exceeded; says nothing about whether the text is valid.
 */
export interface JsonBounds {
  readonly depth: number;
  readonly values: number;
}

export type Excess = "depth" | "values";

export interface JsonMeasure {
  readonly values: number;
  readonly depth: number;
  readonly exceeds?: Excess;
  /** Characters examined. */
  readonly steps: number;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

export function measureJson(text: string, bounds: JsonBounds): JsonMeasure {
  let values = 1;
  let depth = 0;
  let deepest = 0;
  let at = 0;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at);
    else if (code === COMMA) values += 1;
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      values += 1;
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else {
      if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth -= 1;
      continue;
    }
    const exceeds = values > bounds.values ? "values" : depth > bounds.depth ? "depth" : undefined;
    if (exceeds !== undefined) return { values, depth: deepest, exceeds, steps: at + 1 };
  }
  return { values, depth: deepest, steps: at };
}

/** The end of the text where the quote is not closed. */
export function closingQuote(text: string, opening: number): number {
  let at = opening + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return text.length;
}
