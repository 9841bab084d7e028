/**
 * How far the replicas of a workload are, in one word: a letter for each replica, or for its share
 * of many, the furthest first. The letters say it all; colour only helps to find the row that is
 * stuck.
 */
import type { ShownTable } from "../../steering/api-object.ts";
import { forTerminal } from "./terminal-text.ts";

interface StageLook {
  readonly letter: string;
  /** The number of an ANSI colour. */
  readonly colour: number;
}

const GREEN = 32;
const YELLOW = 33;
const BLUE = 34;
const CYAN = 36;
const RED = 31;
const GREY = 90;

/** In the order in which they stand in the bar; capitals are where a replica should be. */
const LOOKS: ReadonlyMap<string, StageLook> = new Map([
  ["succeeded", { letter: "D", colour: GREEN }],
  ["serving", { letter: "S", colour: GREEN }],
  ["running", { letter: "R", colour: GREEN }],
  ["ready", { letter: "r", colour: CYAN }],
  ["starting", { letter: "s", colour: BLUE }],
  ["bound", { letter: "b", colour: BLUE }],
  ["queued", { letter: "q", colour: YELLOW }],
  ["admitted", { letter: "a", colour: YELLOW }],
  ["unknown", { letter: "?", colour: RED }],
  ["failed", { letter: "x", colour: RED }],
  ["missing", { letter: ".", colour: GREY }],
]);

export const letterOf = (stage: string): string => LOOKS.get(stage)?.letter ?? "-";

/**
 * Wide enough for the workloads people watch, narrow enough to leave the other columns their room.
 */
const WIDEST = 20;
/** Below this a bar says less than the counts beside it. */
const NARROWEST = 6;

/** `[SSSsq.]` */
export function stageBar(counts: ReadonlyMap<string, number>, widest = WIDEST): string {
  const there = [...LOOKS.keys()].flatMap((stage) => {
    const count = counts.get(stage) ?? 0;
    return count === 0 ? [] : [{ stage, count }];
  });
  const total = there.reduce((sum, { count }) => sum + count, 0);
  const cells = total <= widest ? there.map(({ count }) => count) : shares(there, total, widest);
  const letters = there.map(({ stage }, at) => letterOf(stage).repeat(cells[at] ?? 0));
  return `[${letters.join("")}]`;
}

/**
 * At least one for each, so that the one that is stuck is seen among many; the largest gives way.
 */
function shares(
  there: readonly { readonly count: number }[],
  total: number,
  width: number,
): readonly number[] {
  const cells = there.map(({ count }) => Math.max(1, Math.floor((count * width) / total)));
  const largest = cells.indexOf(Math.max(...cells));
  const others = cells.reduce((sum, each, at) => (at === largest ? sum : sum + each), 0);
  cells[largest] = Math.max(1, width - others);
  return cells;
}

const BAR_COLUMN = { name: "Progress", priority: 0 };

/**
 * The table of workloads with a bar behind the column that says how many are ready; other tables as
 * they are.
 */
export function withStageBars(table: ShownTable, widest = WIDEST): ShownTable {
  const names = table.columnDefinitions.map(({ name }) => name);
  const ready = names.indexOf("Ready");
  const stages = names.indexOf("Stages");
  if (ready === -1 || stages === -1) return table;
  const after = ready + 1;
  return {
    ...table,
    columnDefinitions: table.columnDefinitions.toSpliced(after, 0, BAR_COLUMN),
    rows: table.rows.map((row) => {
      const counts = countsOf(String(row.cells[ready] ?? ""), String(row.cells[stages] ?? ""));
      return { ...row, cells: row.cells.toSpliced(after, 0, stageBar(counts, widest)) };
    }),
  };
}

/** `2/4` and `queued 1 serving 2`: desired replicas that do not exist count as missing. */
function countsOf(ready: string, stages: string): ReadonlyMap<string, number> {
  const words = stages.split(" ");
  const counts = new Map<string, number>();
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [stage = "", count = "0"] = words.slice(at, at + 2);
    if (stage !== "released") counts.set(stage, Number(count));
  }
  const wanted = Number(ready.split("/")[1] ?? 0);
  const there = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (wanted > there) counts.set("missing", wanted - there);
  return counts;
}

/**
 * How wide bars may be so that the table still fits: what the longest line is too long by is taken
 * off them.
 */
export function barWidthFor(lines: readonly string[], columns: number | undefined): number {
  if (columns === undefined) return WIDEST;
  const longest = Math.max(0, ...lines.map((line) => line.length));
  return Math.max(NARROWEST, Math.min(WIDEST, WIDEST - (longest - columns)));
}

/** The first bar of each line in colour, one for each stage. */
export function inColour(text: string): string {
  const ofLetter = new Map([...LOOKS.values()].map(({ letter, colour }) => [letter, colour]));
  return text.replaceAll(/^(.*?\[)([DSRrsbqa?x.]+)(\].*)$/gm, (_, before, bar: string, after) => {
    const runs = bar.match(/(.)\1*/g) ?? [];
    const painted = runs.map(
      (run) =>
        forTerminal(`\u001B[${ofLetter.get(run[0] ?? "") ?? 0}m`) + run + forTerminal("\u001B[0m"),
    );
    return `${before}${painted.join("")}${after}`;
  });
}
