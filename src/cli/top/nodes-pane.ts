/** The nodes, the fullest first, each with how it is and who keeps work away from it. */
import { ageText } from "../../api/age.ts";
import { printable } from "../../text/printable.ts";
import { capacityBar, fullness } from "./capacity-bar.ts";
import { percent } from "./capacity-lines.ts";
import { padded } from "./cells.ts";
import { replicasOnNode } from "./openings.ts";
import { line, type StyledLine, type Tone } from "./styled-line.ts";
import type { NodeRow, Reader, TopState } from "./top-state.ts";
import type { PaneRows } from "./pane-rows.ts";

const HEALTH_WIDTH = 15;
const BAR = 10;

/** As much as a narrow screen can spare. */
const nameWidth = (width: number): number => (width < 100 ? 16 : 26);

export function nodesPane(
  state: TopState,
  { sorts, filter }: Reader,
  { width }: { readonly width: number },
): PaneRows {
  const matching = state.nodes.filter((node) => textOf(node).includes(filter.toLowerCase()));
  const rows = matching.toSorted(ORDERS[sorts.nodes]);
  return {
    heading: `${padded("NODE", nameWidth(width))} ${padded("HEALTH", HEALTH_WIDTH)} ${padded("FOR", 6)} ${padded("CPU", BAR + 7)} ${padded("MEM", 4, "right")} ${padded("DEV", 4, "right")} REPL ZONE`,
    count: rows.length,
    row: (at) => rowLine(rows[at] as NodeRow, state.planeMs, width),
    detail: (at) => detailOf(rows[at] as NodeRow),
    opens: (at) => replicasOnNode((rows[at] as NodeRow).node),
  };
}

const textOf = ({ node, region, zone, health }: NodeRow): string =>
  `${node} ${region} ${zone} ${health}`.toLowerCase();

const mostFull = ({ cpu, memory, devices }: NodeRow): number =>
  Math.max(fullness(cpu), fullness(memory), fullness(devices));
const byName = (a: NodeRow, b: NodeRow): number => (a.node < b.node ? -1 : 1);

/** What is worse comes first. */
const WORST = ["fenced", "unknown", "suspect", "ready"];
const rank = ({ health }: NodeRow): number => {
  const [word = "", ...others] = health.split(",");
  return 2 * WORST.indexOf(word) + (others.length > 0 ? 0 : 1);
};

const ORDERS: Readonly<Record<Reader["sorts"]["nodes"], (a: NodeRow, b: NodeRow) => number>> = {
  fullness: (a, b) => mostFull(b) - mostFull(a) || byName(a, b),
  name: byName,
  health: (a, b) => rank(a) - rank(b) || byName(a, b),
  replicas: (a, b) => b.replicas - a.replicas || byName(a, b),
};

function rowLine(node: NodeRow, planeMs: number, width: number): StyledLine {
  const { cpu, memory, devices, replicas, leaving, health, since, zone } = node;
  const left = leaving === 0 ? String(replicas) : `${replicas}-${leaving}`;
  return line(
    `${padded(node.node, nameWidth(width))} `,
    { text: padded(health, HEALTH_WIDTH), tone: toneOf(health) },
    ` ${padded(ageText(planeMs - since), 6)} `,
    ...capacityBar(cpu, BAR),
    `${percent(cpu)}  ${percent(memory)} ${devices[0] === 0 ? "   -" : percent(devices)} ${padded(left, 4, "right")} ${zone}`,
  );
}

function toneOf(health: string): Tone {
  if (health === "ready") return "good";
  return health.startsWith("ready") ? "warn" : "bad";
}

function detailOf({ node, health, why, cordons, drain }: NodeRow): string {
  const held = cordons.map(({ by, why: reason }) => `cordoned by ${by}${because(reason)}`);
  const drained =
    drain === null ? [] : [`drained by ${drain.by || "an unknown user"}${because(drain.why)}`];
  const all = [why, ...held, ...drained].filter((text) => text !== "");
  return printable(`${node} is ${health}${all.length === 0 ? "." : `: ${all.join("; ")}`}`);
}

const because = (reason: string): string => (reason === "" ? "" : ` (${reason})`);
