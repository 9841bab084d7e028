/**
 * Trace files: JSON lines. The first says how to run it again and what came out; every other is one
 * line of the trace. What `berth replay` compares is the text of the lines, so nothing is lost in
 * reading them back.
 */
import { UserError } from "../shell/errors.ts";
import type { RunOptions, RunResult, TraceLine } from "../sim/report/run-result.ts";

/** Bumped when a reader of the old form would misunderstand the new one. */
const FORM = 1;

export interface TraceHeader {
  readonly berthTrace: typeof FORM;
  /** The whole input of the run: its world, seed and faults. */
  readonly scenario: Pick<RunOptions, "world" | "seed" | "faults">;
  readonly hash: string;
  readonly events: number;
  readonly violation?: RunResult["violation"];
}

export interface TraceFile {
  readonly header: TraceHeader;
  /** As they stand in the file, without the line ends. */
  readonly lines: readonly string[];
}

export function formatTrace(options: RunOptions, result: RunResult): string {
  const { world, seed, faults } = options;
  const header: TraceHeader = {
    berthTrace: FORM,
    scenario: { world, seed, faults },
    hash: result.hash,
    events: result.events,
    ...(result.violation && { violation: result.violation }),
  };
  return [JSON.stringify(header), ...result.trace.map(formatTraceLine), ""].join("\n");
}

export function formatTraceLine(line: TraceLine): string {
  return JSON.stringify(line);
}

/** Undefined when the text is not a trace at all, but may be a scenario. */
export function parseTrace(text: string, file: string): TraceFile | undefined {
  if (!text.startsWith('{"berthTrace"')) return undefined;
  const [first = "", ...lines] = text.split("\n");
  const header = parseLine(first, { file, line: 1 });
  if (!isHeader(header)) {
    const expected = `the header of a trace of form ${FORM}`;
    throw new UserError(
      "invalid-file",
      `Unknown header, expected ${expected}; record the trace again with --trace.`,
      {
        file,
        line: 1,
        column: 1,
      },
    );
  }
  const kept = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  for (const [index, line] of kept.entries()) parseTraceLine(line, { file, line: index + 2 });
  return { header, lines: kept };
}

/** Only ever called with a line that was written by `formatTraceLine`, or checked like one. */
export function parseTraceLine(
  text: string,
  place: { readonly file: string; readonly line: number },
): TraceLine {
  const line = parseLine(text, place);
  if (typeof line === "object" && line !== null && "turn" in line && "text" in line)
    return line as TraceLine;
  throw new UserError("invalid-file", "Expected a line of a trace.", {
    ...place,
    column: 1,
  });
}

function parseLine(text: string, place: { readonly file: string; readonly line: number }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("invalid-file", `Invalid JSON (${reason}), expected one object per line.`, {
      ...place,
      column: 1,
    });
  }
}

function isHeader(value: unknown): value is TraceHeader {
  if (typeof value !== "object" || value === null) return false;
  const { berthTrace, scenario, hash, events } = value as Partial<TraceHeader>;
  const isRun =
    typeof scenario === "object" &&
    typeof scenario.world === "object" &&
    typeof scenario.seed === "number";
  return berthTrace === FORM && isRun && typeof hash === "string" && typeof events === "number";
}
