/**
 * `berth replay`: runs a recorded trace again and reports the first line that differs, or runs a
 * scenario and holds its outcome against what the file expects. A folder is a plane's recording.
 */
import { statSync } from "node:fs";
import { basename } from "node:path";
import type { Command } from "commander";
import { documentOfRun } from "../../incident/document-of-run.ts";
import type { IncidentDocument } from "../../incident/incident-document.ts";
import type { EffectPair } from "../../replay/compare-effects.ts";
import { parseScenario } from "../../scenario/scenario-file.ts";
import type { Expectation } from "../../scenario/scenario.ts";
import {
  formatTraceLine,
  parseTrace,
  parseTraceLine,
  type TraceFile,
} from "../../scenario/trace-file.ts";
import type { RunOptions, RunResult, TraceLine } from "../../sim/report/run-result.ts";
import { formatLine } from "../../sim/report/story.ts";
import { divergenceText } from "../text/divergence-text.ts";
import { UserError } from "../../shell/errors.ts";
import { storyOf } from "./investigate.ts";
import type { Terminal } from "../main.ts";
import { readInput } from "../../shell/read-input.ts";
import { recordingIn, replayChapter, replayFolder } from "../simulate/replay-folder.ts";
import { estimatesText, replayEstimates } from "../simulate/replay-estimates.ts";
import { runNamingSeed } from "../simulate/run-seeds.ts";
import { readWholeNumber } from "../../shell/read-whole-number.ts";
import { VERSION } from "../../shell/version.ts";
import { writeIncident } from "../simulate/write-incident.ts";

export interface ReplayOptions {
  readonly until?: string;
  readonly json?: boolean;
  readonly html?: string;
  /** For tests: the page that `html` fills. */
  readonly viewer?: string;
  readonly chapter?: string;
  readonly fromTurn?: string;
  readonly untilTurn?: string;
  readonly around?: string;
  readonly estimates?: boolean;
}

export function registerReplay(program: Command, terminal: Terminal): void {
  program
    .command("replay <file>")
    .description("replay a recording, trace or scenario and report divergence")
    .option("--until <turn>", "stop after this turn and show the last steps")
    .option("--html <file>", "write the replay as an HTML page")
    .option("--chapter <n>", "with --html: chapter of the recording (default: the newest)")
    .option("--from-turn <turn>", "with --html: first turn to show")
    .option("--until-turn <turn>", "with --html: last turn to show")
    .option("--around <revision>", "with --html: show the turns around this revision")
    .option("--estimates", "instead: how often the estimates of waits in a recording were right")
    .option("--json", "print the result as JSON")
    .action((file: string, options: ReplayOptions) => replay(file, options, terminal));
}

/** Exactly what `--json` prints. */
export interface ReplayReport {
  readonly turns: number;
  readonly diverged: boolean;
  readonly firstDivergence: Divergence | null;
}

export interface Divergence {
  readonly turn: number;
  readonly expected: string;
  readonly got: string;
  /** Of a plane's recording: each effect that differs, field by field. */
  readonly effects?: readonly EffectPair[];
}

export interface Replayed {
  readonly report: ReplayReport;
  readonly exitCode: 0 | 1;
  /** For a person. */
  readonly text: string;
  /** Of what was replayed, when somebody asked for a page. */
  readonly document?: IncidentDocument;
}

/** How a run is replayed. */
interface Way {
  readonly untilTurn: number | undefined;
  readonly isShown: boolean;
}

export function replay(file: string, options: ReplayOptions, terminal: Terminal): void {
  const untilTurn =
    options.until === undefined ? undefined : readWholeNumber("--until", options.until);
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  assertFits(options, isFolder);
  if (options.estimates === true) {
    const report = replayEstimates(recordingIn(file));
    const { json } = options;
    terminal.out(json === true ? `${JSON.stringify(report)}\n` : estimatesText(report, file));
    return;
  }
  const way = { untilTurn, isShown: options.html !== undefined };
  const replayed = !isFolder
    ? replayFile(file, way)
    : way.isShown
      ? replayChapter(recordingIn(file), options)
      : replayFolder(recordingIn(file), untilTurn);
  const { document } = replayed;
  const { html, viewer } = options;
  const wrote =
    html === undefined || document === undefined
      ? ""
      : `${writeIncident({ file: html, document, viewer })}\n`;
  terminal.out(
    options.json === true ? `${JSON.stringify(replayed.report)}\n` : replayed.text + wrote,
  );
  if (replayed.exitCode !== 0) terminal.exitCode = replayed.exitCode;
}

/**
 * What says which part of a recording is shown is of no use without the page, or without chapters.
 */
function assertFits(options: ReplayOptions, isFolder: boolean): void {
  if (options.estimates === true && (!isFolder || options.html !== undefined)) {
    const why = "--estimates reads the directory of a recording, and makes no page.";
    throw new UserError("bad-usage", `${why} Name the directory alone.`);
  }
  const given = (["chapter", "fromTurn", "untilTurn", "around"] as const).find(
    (name) => options[name] !== undefined,
  );
  if (given === undefined || (isFolder && options.html !== undefined)) return;
  const flag = `--${given.replace("Turn", "-turn")}`;
  throw new UserError(
    "bad-usage",
    `${flag} selects a part of a recording: use it with --html and the directory of a recording.`,
  );
}

function replayFile(file: string, way: Way): Replayed {
  const text = readInput(file);
  const trace = parseTrace(text, file);
  return trace ? replayTrace(trace, file, way) : replayScenario(text, file, way);
}

function replayTrace({ header, lines }: TraceFile, file: string, way: Way): Replayed {
  const { untilTurn } = way;
  const result = rerun(header.scenario, way);
  const recorded = lines.filter((line, index) => {
    if (untilTurn === undefined) return true;
    const { turn } = parseTraceLine(line, { file, line: index + 2 });
    // What the world does between this turn and the next was recorded under this turn and is not
    // run again.
    return turn < untilTurn || (turn === untilTurn && index < result.trace.length);
  });
  const divergence =
    firstDifference(recorded, result.trace) ?? differentEnd(header, result, untilTurn);
  const said = divergence
    ? divergenceText(divergence)
    : `Replayed ${result.events} turns: identical to the recording${untilTurn === undefined ? `, hash ${result.hash}` : ""}.`;
  return {
    report: {
      turns: result.events,
      diverged: divergence !== undefined,
      firstDivergence: divergence ?? null,
    },
    exitCode: divergence ? 1 : 0,
    text: `${untilTurn === undefined ? "" : lastLines(result.trace)}${said}\n`,
    ...pageOf(result, file, divergence),
  };
}

function rerun(options: RunOptions, { untilTurn, isShown }: Way): RunResult {
  const witness = isShown ? { witness: true } : {};
  const until = untilTurn === undefined ? {} : { untilTurn };
  return runNamingSeed({ ...options, trace: true, ...witness, ...until });
}

/**
 * Nothing when no page was asked for. A trace that comes out differently has a mark at its first
 * difference.
 */
function pageOf(
  result: RunResult,
  file: string,
  divergence?: Divergence,
): { readonly document?: IncidentDocument } {
  if (result.witnessed === undefined) return {};
  const document = documentOfRun(result, {
    title: `seed ${result.seed}, from ${basename(file)}`,
    version: VERSION,
    again: `berth replay ${file}`,
  });
  if (divergence === undefined) return { document };
  const turn = Math.max(
    0,
    document.turns.findLastIndex((each) => each.turn <= divergence.turn),
  );
  const text = `Diverged: expected ${divergence.expected}, got ${divergence.got}`;
  const mark = { turn, kind: "divergence", text } as const;
  return { document: { ...document, marks: [...document.marks, mark] } };
}

const NOTHING = "(nothing)";

function firstDifference(
  recorded: readonly string[],
  trace: readonly TraceLine[],
): Divergence | undefined {
  for (let index = 0; index < Math.max(recorded.length, trace.length); index++) {
    const expected = recorded[index];
    const now = trace[index];
    const got = now && formatTraceLine(now);
    if (expected === got) continue;
    const was = expected === undefined ? undefined : (JSON.parse(expected) as TraceLine);
    const turn = Math.min(
      was?.turn ?? Number.POSITIVE_INFINITY,
      now?.turn ?? Number.POSITIVE_INFINITY,
    );
    return { turn, expected: was ? readable(was) : NOTHING, got: now ? readable(now) : NOTHING };
  }
  return undefined;
}

function readable(line: TraceLine): string {
  return formatLine(line, 0);
}

/** Turns that leave no line may still differ: the fingerprint covers them all. */
function differentEnd(
  header: TraceFile["header"],
  result: RunResult,
  untilTurn: number | undefined,
): Divergence | undefined {
  if (untilTurn !== undefined) return undefined;
  if (endOf(header) === endOf(result)) return undefined;
  return {
    turn: Math.min(header.events, result.events),
    expected: endOf(header),
    got: endOf(result),
  };
}

function endOf(run: { readonly events: number; readonly hash: string }): string {
  return `end after ${run.events} turns with the hash ${run.hash}`;
}

/** A screenful of what led to the turn that was asked for. */
const SHOWN = 40;

function lastLines(trace: readonly TraceLine[]): string {
  const shown = trace.slice(-SHOWN);
  const width = Math.max(0, ...shown.map(({ component }) => component.length));
  const lines = shown.map((line) => `  turn ${line.turn}  ${formatLine(line, width)}`);
  const left = trace.length - shown.length;
  return [...(left > 0 ? [`  … ${left} lines before`] : []), ...lines, ""].join("\n");
}

function replayScenario(text: string, file: string, way: Way): Replayed {
  const { scenario, world } = parseScenario(text, file);
  const result = rerun(
    { world, seed: scenario.seed, faults: { explicit: scenario.faults, rates: {} } },
    way,
  );
  const page = pageOf(result, file);
  if (way.untilTurn !== undefined) return { ...replayedPart(result), ...page };
  const expected = describeEnd(scenario.expect);
  const rule = result.violation?.rule;
  const got = describeEnd(rule === undefined ? { kind: "clean" } : { kind: "violation", rule });
  const firstDivergence = expected === got ? null : { turn: result.events, expected, got };
  const report = { turns: result.events, diverged: firstDivergence !== null, firstDivergence };
  const story = result.violation ? `${storyOf(result, `berth replay ${file}`)}\n` : "";
  const verdict = describeVerdict(scenario.expect, rule);
  return {
    report,
    // A mended scenario is good news; only a violation is a failure.
    exitCode: result.violation ? 1 : 0,
    text: `${story}${scenario.name}: ${verdict} ${result.events} turns, hash ${result.hash}.\n`,
    ...page,
  };
}

/** Part of a run says nothing about its end, unless a rule is violated by then. */
function replayedPart(result: RunResult): Replayed {
  const found = result.violation
    ? `${result.violation.rule}: ${result.violation.message}`
    : "no violations so far";
  return {
    report: { turns: result.events, diverged: false, firstDivergence: null },
    exitCode: result.violation ? 1 : 0,
    text: `${lastLines(result.trace)}After ${result.events} turns: ${found}.\n`,
  };
}

function describeEnd(end: Expectation): string {
  return end.kind === "clean" ? "clean" : `violation ${end.rule}`;
}

function describeVerdict(expect: Expectation, rule: string | undefined): string {
  if (expect.kind === "clean")
    return rule === undefined ? "clean, as expected." : `expected to be clean, violates ${rule}.`;
  if (rule === undefined) return `no longer violates ${expect.rule}.`;
  return rule === expect.rule
    ? "fails the same way."
    : `expected to violate ${expect.rule}, violates ${rule} instead.`;
}
