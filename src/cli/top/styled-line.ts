/**
 * A line for the terminal: parts of text, each in a tone. How a tone looks is decided once, when
 * the line is painted.
 */
import { printable } from "../../text/printable.ts";
import { forTerminal } from "../text/terminal-text.ts";
import { cellsOf, fitted } from "./cells.ts";

/** `good` and `bad` never stand alone: the words beside them say the same. */
export type Tone = "plain" | "title" | "dim" | "good" | "warn" | "bad";

export interface Part {
  readonly text: string;
  readonly tone?: Tone;
}

export interface StyledLine {
  readonly parts: readonly Part[];
  /** Drawn over the whole width, as where the reader is. */
  readonly isSelected?: boolean;
}

/** Blue against yellow and bold, never red against green: those look the same to many. */
const LOOKS: Readonly<Record<Tone, string>> = {
  plain: "",
  title: "\u001B[1m",
  dim: "\u001B[2m",
  good: "\u001B[36m",
  warn: "\u001B[33m",
  bad: "\u001B[1;35m",
};
const INVERSE = "\u001B[7m";
const RESET = "\u001B[0m";

export const line = (...parts: readonly (Part | string)[]): StyledLine => ({
  parts: parts.map((part) => (typeof part === "string" ? { text: part } : part)),
});

/** Never wider than the screen: a line that wraps would push all others down. */
export function painted(
  { parts, isSelected = false }: StyledLine,
  { width, hasColour }: { readonly width: number; readonly hasColour: boolean },
): string {
  let left = width;
  let text = "";
  for (const part of parts) {
    const fitting = fitted(printable(part.text), left);
    left -= cellsOf(fitting);
    const look = hasColour && !isSelected ? LOOKS[part.tone ?? "plain"] : "";
    text += look === "" ? fitting : `${forTerminal(look)}${fitting}${forTerminal(RESET)}`;
    if (left === 0) break;
  }
  if (!hasColour) return text.trimEnd();
  if (!isSelected) return text;
  return `${forTerminal(INVERSE)}${text}${" ".repeat(left)}${forTerminal(RESET)}`;
}
