/**
 * Tells a violation so that a person understands it without the code: the rule as a sentence, the
 * events as a numbered timeline, the beliefs at the decisive turn, and how to see it again.
 */
import { beliefTable } from "./belief-table.ts";
import type { Violation } from "../check/checker.ts";
import { relevantLines } from "./relevant-lines.ts";
import type { RunResult, TraceLine } from "./run-result.ts";

export interface StoryOptions {
  /** A run with its trace. */
  readonly result: RunResult;
  readonly sentenceOf: (rule: string) => string;
  /** The command with which a person sees it again. */
  readonly command: string;
}

/** A screenful. Readers skim a longer text and miss the line that matters. */
const MAX_LINES = 40;

/**
 * The beginning says how the object came to be; the end is where it went wrong and gets the rest.
 */
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
      ...timeline(result, violation),
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
  return [[`Views and committed state at ${clockTime(atMs)}:`, ...tables]];
}

/** Minutes, seconds and milliseconds since the run began. */
export function clockTime(ms: number): string {
  const whole = Math.max(0, Math.floor(ms));
  const minutes = String(Math.floor(whole / 60_000)).padStart(2, "0");
  const seconds = String(Math.floor(whole / 1_000) % 60).padStart(2, "0");
  return `${minutes}:${seconds}.${String(whole % 1_000).padStart(3, "0")}`;
}

function timeline({ trace }: RunResult, violation: Violation): string[] {
  const lines = relevantLines(trace, violation);
  const end: TraceLine = {
    turn: trace.at(-1)?.turn ?? 0,
    atMs: violation.atMs,
    component: "checker",
    text: `${violation.rule} is violated`,
  };
  return formatLines([...lines, end], trace.length - lines.length);
}

/** Numbered lines, the middle left out when there are too many. */
function formatLines(lines: readonly TraceLine[], others: number): string[] {
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
  if (others > 0) out.push(`      (${counted(others, "other line")} left out)`);
  return out;
}

/** A watch may bring hundreds of operations in one line; its beginning says what it is. */
const MAX_TEXT = 160;

export function formatLine(line: TraceLine, width: number): string {
  const { text } = line;
  const short = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
  return `${clockTime(line.atMs)}  ${line.component.padEnd(width)}  ${short}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
