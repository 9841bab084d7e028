/** The replicas of a workload or of a node, each with its stage, its restarts and the cause. */
import { ageText } from "../../api/age.ts";
import { STAGES } from "../../core/model/stage.ts";
import { printable } from "../../text/printable.ts";
import { padded } from "./cells.ts";
import { logOfReplica } from "./openings.ts";
import type { PaneRows } from "./pane-rows.ts";
import { line, type StyledLine, type Tone } from "./styled-line.ts";
import type { Reader, ReplicaRow, TopState } from "./top-state.ts";

const NAME_WIDTH = 26;
const STAGE_WIDTH = 9;
const NODE_WIDTH = 14;

export function replicasPane(state: TopState, { sorts, filter }: Reader): PaneRows {
  const rows = state.replicas.rows
    .filter((row) => textOf(row).includes(filter.toLowerCase()))
    .toSorted(ORDERS[sorts.replicas]);
  return {
    heading: `${padded("REPLICA", NAME_WIDTH)} ${padded("STAGE", STAGE_WIDTH)} ${padded("FOR", 6)} ${padded("NODE", NODE_WIDTH)} RESTARTS CAUSE`,
    count: rows.length,
    row: (at) => rowLine(rows[at] as ReplicaRow, state.planeMs),
    detail: (at) => printable((rows[at] as ReplicaRow).message),
    opens: (at) => {
      const { tenant, name } = rows[at] as ReplicaRow;
      return logOfReplica(tenant, name);
    },
  };
}

const nameOf = ({ tenant, name }: ReplicaRow): string => `${tenant}/${name}`;

const textOf = (row: ReplicaRow): string =>
  `${nameOf(row)} ${row.stage} ${row.node} ${causeText(row)}`.toLowerCase();

const causeText = ({ reason, cause }: ReplicaRow): string =>
  cause === "" ? reason : `${reason}: ${cause}`;

/** By number, so that the tenth stands behind the ninth. */
const byName = (a: ReplicaRow, b: ReplicaRow): number =>
  a.index - b.index || (nameOf(a) < nameOf(b) ? -1 : 1);

/** A replica that is not ready is what the reader looks for. */
const TONES: Readonly<Record<string, Tone>> = {
  ready: "good",
  serving: "good",
  running: "good",
  succeeded: "good",
  unknown: "bad",
  failed: "bad",
};
const toneOf = ({ stage }: ReplicaRow): Tone => TONES[stage] ?? "warn";
const WORST: readonly Tone[] = ["bad", "warn", "good"];
const stageRank = (row: ReplicaRow): number =>
  STAGES.length * WORST.indexOf(toneOf(row)) + STAGES.findIndex((stage) => stage === row.stage);

type Order = (a: ReplicaRow, b: ReplicaRow) => number;
const ORDERS: Readonly<Record<Reader["sorts"]["replicas"], Order>> = {
  name: byName,
  stage: (a, b) => stageRank(a) - stageRank(b) || byName(a, b),
  node: (a, b) => (a.node === b.node ? byName(a, b) : a.node < b.node ? -1 : 1),
  restarts: (a, b) => b.restarts - a.restarts || byName(a, b),
};

function rowLine(row: ReplicaRow, planeMs: number): StyledLine {
  const { stage, since, node, restarts } = row;
  return line(
    `${padded(nameOf(row), NAME_WIDTH)} `,
    { text: padded(stage, STAGE_WIDTH), tone: toneOf(row) },
    ` ${padded(ageText(planeMs - since), 6)} ${padded(node || "-", NODE_WIDTH)} `,
    `${padded(String(restarts), 8, "right")} ${printable(causeText(row))}`,
  );
}
