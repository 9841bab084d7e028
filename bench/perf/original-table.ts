/**
 * Reads a table of the original workloads, one a line: topic, test, workload, threshold and params
 * by the names in its first line. A scenario then runs with the numbers that stand there instead of
 * those in here.
 */
import { originalName, type Params, type Scenario } from "./scenario.ts";

export interface OriginalRow {
  readonly threshold: number | undefined;
  readonly params: Params;
}

export function readOriginals(csv: string): ReadonlyMap<string, OriginalRow> {
  const [head = [], ...rows] = parseCsv(csv);
  const column = (name: string): number => {
    const at = head.indexOf(name);
    if (at === -1) throw new Error(`The table has no column "${name}".`);
    return at;
  };
  const at = {
    topic: column("topic"),
    test: column("test"),
    workload: column("workload"),
    threshold: column("threshold"),
    params: column("params"),
  };
  const cell = (row: readonly string[], name: keyof typeof at): string => row[at[name]] ?? "";
  return new Map(
    rows.map((row) => [
      originalName({
        topic: cell(row, "topic"),
        test: cell(row, "test"),
        workload: cell(row, "workload"),
      }),
      { threshold: thresholdOf(cell(row, "threshold")), params: paramsOf(cell(row, "params")) },
    ]),
  );
}

/** The scenario with the numbers of its row. Which of them matter is the scenario's to say. */
export function asInTable(scenario: Scenario, table: ReadonlyMap<string, OriginalRow>): Scenario {
  const name = originalName(scenario.original);
  const row = table.get(name);
  if (row === undefined) throw new Error(`The table has no workload ${name}.`);
  const params = Object.fromEntries(
    Object.keys(scenario.params).map((key) => {
      const value = row.params[key];
      if (value === undefined) throw new Error(`The table gives no ${key} of ${name}.`);
      return [key, value];
    }),
  );
  return { ...scenario, params, threshold: row.threshold };
}

/** Some workloads have one for each metric; only a plain number is one of pods a second. */
function thresholdOf(text: string): number | undefined {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? undefined : value;
}

function paramsOf(text: string): Params {
  const value: unknown = text === "" ? {} : JSON.parse(text);
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, unknown>>).filter(
      (entry): entry is [string, number] => typeof entry[1] === "number",
    ),
  );
}

/** Cells in quotes may hold commas and line ends; a quote inside is written twice. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (cells.lastIndex < text.length) {
    const match = cells.exec(text);
    if (match === null) throw new Error(`The table is no CSV in line ${rows.length + 1}.`);
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
