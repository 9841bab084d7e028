/**
 * Tells a violation so that a person understands it without the code: the rule as a sentence, what
 * happened as a numbered timeline, who believed what at the decisive turn, and how to see it again.
 */
import { parseKey, type ObjectKey } from "../core/model/ids.ts";
import { beliefTable } from "./belief-table.ts";
import type { RunResult, TraceLine } from "./run-result.ts";

export interface StoryOptions {
  /** A run with its trace. */
  readonly result: RunResult;
  readonly sentenceOf: (rule: string) => string;
  /** What a person types to see it again. */
  readonly command: string;
}

/** A screenful. What is longer is skimmed, and the line that matters is missed. */
const MAX_LINES = 40;

/** The beginning says how the object came to be; the end is where it went wrong and gets the rest. */
const FIRST_LINES = 10;

export function tellStory({ result, sentenceOf, command }: StoryOptions): string {
  const { violation } = result;
  if (!violation) return "Nothing was violated.\n";
  const about = violation.key === undefined ? [] : [`  about ${violation.key}`];
  const sections = [
    [
      `${violation.rule} was violated at ${clockTime(violation.atMs)}, revision ${violation.revision}:`,
      `  ${sentenceOf(violation.rule)}`,
      `  ${violation.message}`,
      ...about,
    ],
    [
      `What happened (seed ${result.seed}, ${counted(result.fired.length, "fault")}):`,
      ...timeline(result, violation.key),
    ],
    ...beliefSection(result, violation.atMs),
    ["To see it again:", `  ${command}`],
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function beliefSection(result: RunResult, atMs: number): string[][] {
  const beliefs = result.beliefs ?? [];
  if (beliefs.length === 0) return [];
  const tables = beliefs.flatMap((each) => beliefTable(each).map((line) => `  ${line}`));
  return [[`What was believed and what was true, at ${clockTime(atMs)}:`, ...tables]];
}

/** Minutes, seconds and milliseconds since the run began. */
export function clockTime(ms: number): string {
  const whole = Math.max(0, Math.floor(ms));
  const minutes = String(Math.floor(whole / 60_000)).padStart(2, "0");
  const seconds = String(Math.floor(whole / 1_000) % 60).padStart(2, "0");
  return `${minutes}:${seconds}.${String(whole % 1_000).padStart(3, "0")}`;
}

function timeline(result: RunResult, key: ObjectKey | undefined): string[] {
  const matters = relevantTo(key);
  const lines = result.trace.filter(matters);
  if (lines.length === 0) return ["  (the run left no trace of it)"];
  return formatLines(lines, result.trace);
}

/** Numbered lines, the middle left out when there are too many. */
function formatLines(lines: readonly TraceLine[], all: readonly TraceLine[]): string[] {
  const shown =
    lines.length <= MAX_LINES
      ? [...lines.keys()]
      : [...lines.keys()].filter(
          (index) => index < FIRST_LINES || index >= lines.length - (MAX_LINES - FIRST_LINES),
        );
  const width = Math.max(...shown.map((index) => lines[index]?.component.length ?? 0));
  const out: string[] = [];
  let previous = -1;
  for (const index of shown) {
    const line = lines[index];
    if (!line) continue;
    if (index !== previous + 1)
      out.push(`      … ${counted(index - previous - 1, "line")} left out`);
    out.push(`  ${String(index + 1).padStart(3)}. ${formatLine(line, width)}`);
    previous = index;
  }
  const others = all.length - lines.length;
  if (others > 0) out.push(`      (${counted(others, "line")} about other things left out)`);
  return out;
}

export function formatLine(line: TraceLine, width: number): string {
  return `${clockTime(line.atMs)}  ${line.component.padEnd(width)}  ${line.text}`;
}

/** Faults, crashes and leader changes always matter; beyond them only what names the violated object. */
function relevantTo(key: ObjectKey | undefined): (line: TraceLine) => boolean {
  const names = key === undefined ? [] : namesOf(key);
  return (line) =>
    isTrouble(line) ||
    (key !== undefined && line.decision?.key === key) ||
    names.some((name) => mentions(line.text, name) || line.component === `agent:${name}`);
}

const TROUBLE =
  /\b(lost|loses|delayed|duplicated|crash\w*|restart\w*|dies|died|down|claim\w*|leads?|leader|resign\w*|fenced|partition\w*|stall\w*|drop\w*|broke\w*|stale|paused?|resumed?|healed?|clock|exits?|exited|violat\w*)\b/;

function isTrouble(line: TraceLine): boolean {
  return line.component === "fault" || TROUBLE.test(line.text);
}

/** Operations are made of keys, so the tenant and name find them too. */
function namesOf(key: ObjectKey): readonly string[] {
  const { namespace, name } = parseKey(key);
  return namespace === "" ? [key, name] : [key, `${namespace}/${name}`];
}

/** As a whole word: `risk-api.1.1` is not `risk-api.1.10`. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!isNamePart(text[at + name.length])) return true;
  }
  return false;
}

function isNamePart(char: string | undefined): boolean {
  return char !== undefined && /[a-z0-9]/.test(char);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
