/** The workloads, those in trouble first, each with how many are ready and what is wrong. */
import { ownCommand } from "../text/own-command.ts";
import { printable } from "../../text/printable.ts";
import { padded } from "./cells.ts";
import { replicasOfWorkload } from "./openings.ts";
import type { PaneRows } from "./pane-rows.ts";
import { line, type StyledLine, type Tone } from "./styled-line.ts";
import type { Reader, TopState, WorkloadRow } from "./top-state.ts";

const NAME_WIDTH = 26;
const READY_WIDTH = 7;
const STAGES_WIDTH = 20;

export function workloadsPane({ workloads }: TopState, { sorts, filter }: Reader): PaneRows {
  const rows = workloads
    .filter((row) => textOf(row).includes(filter.toLowerCase()))
    .toSorted(ORDERS[sorts.workloads]);
  return {
    heading: `${padded("WORKLOAD", NAME_WIDTH)} ${padded("READY", READY_WIDTH)} ${padded("STAGES", STAGES_WIDTH)} CAUSE`,
    count: rows.length,
    row: (at) => rowLine(rows[at] as WorkloadRow),
    detail: (at) => detailOf(rows[at] as WorkloadRow),
    opens: (at) => replicasOfWorkload((rows[at] as WorkloadRow).workload),
  };
}

const textOf = (row: WorkloadRow): string =>
  `${row.workload} ${stagesText(row)} ${causeText(row)}`.toLowerCase();

/** Of a job, the indexes that have succeeded and all of them. */
const readiness = ({ ready, wanted, batch }: WorkloadRow): readonly [number, number] =>
  batch === null ? [ready, wanted] : [batch.succeeded, batch.completions];

const stagesText = ({ stages }: WorkloadRow): string =>
  Object.entries(stages)
    .toSorted(([, a], [, b]) => b - a)
    .map(([stage, count]) => `${count} ${stage}`)
    .join(", ");

/** In a few words; empty where nothing is wrong or under way. */
function causeText({ problems, pending, rollout, deleting }: WorkloadRow): string {
  const [problem] = problems;
  if (problem !== undefined) return `${problem.reason}: ${problem.cause ?? problem.message}`;
  if (deleting !== null) return "being deleted";
  const [wait] = pending;
  if (wait !== undefined) return wait.cause;
  return rollout === null ? "" : `rollout ${rollout.stage}`;
}

function toneOf(row: WorkloadRow): Tone {
  if (row.problems.length > 0) return "bad";
  return causeText(row) === "" ? "good" : "warn";
}

const WORST: readonly Tone[] = ["bad", "warn", "good"];
const rank = (row: WorkloadRow): number => WORST.indexOf(toneOf(row));
const byName = (a: WorkloadRow, b: WorkloadRow): number => (a.workload < b.workload ? -1 : 1);

type Order = (a: WorkloadRow, b: WorkloadRow) => number;
const ORDERS: Readonly<Record<Reader["sorts"]["workloads"], Order>> = {
  health: (a, b) => rank(a) - rank(b) || byName(a, b),
  name: byName,
  replicas: (a, b) => b.wanted - a.wanted || byName(a, b),
};

function rowLine(row: WorkloadRow): StyledLine {
  return line(
    `${padded(row.workload, NAME_WIDTH)} `,
    { text: padded(readiness(row).join("/"), READY_WIDTH), tone: toneOf(row) },
    ` ${padded(stagesText(row) || "-", STAGES_WIDTH)} ${printable(causeText(row))}`,
  );
}

function detailOf(row: WorkloadRow): string {
  const { workload, problems, pending, rollout } = row;
  const told = [
    ...problems.map(({ message }) => message),
    ...pending.map(({ text, cause }) => text || cause),
    ...(rollout === null ? [] : [rollout.reason ?? `rollout ${rollout.stage}`]),
  ].map((text) => text.replace(/\.?$/, "."));
  const [ready, all] = readiness(row);
  const counts = `${workload}: ${ready} of ${all} ${row.batch === null ? "ready" : "succeeded"}.`;
  const more = told.length === 0 ? "" : ` See \`${ownCommand()} explain\` for details.`;
  return printable(`${[counts, ...told].join(" ")}${more}`);
}
