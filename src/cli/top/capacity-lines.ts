/**
 * What there is to run on, as a bar for each region and each of its zones. Forecasts of nodes count
 * for nothing here.
 */
import { formatCpu, formatMemory } from "../../quantity/quantity.ts";
import { capacityBar, fullness, LEGEND, sumOf } from "./capacity-bar.ts";
import { padded } from "./cells.ts";
import { line, type Part, type StyledLine } from "./styled-line.ts";
import type { NodeRow, Shares } from "./top-state.ts";

interface Place {
  readonly name: string;
  readonly nodes: readonly NodeRow[];
}

/** Everything beside the two bars. */
const NAME_WIDTH = 16;
const BESIDE = NAME_WIDTH + 40;
const SHORTEST_BAR = 10;
const LONGEST_BAR = 40;

/** At most so many lines, the legend included. */
export function capacityLines(
  nodes: readonly NodeRow[],
  { width, most }: { readonly width: number; readonly most: number },
): readonly StyledLine[] {
  const hard = nodes.filter(({ supply }) => supply === "hard");
  const bar = Math.max(SHORTEST_BAR, Math.min(LONGEST_BAR, Math.floor((width - BESIDE) / 2)));
  const legend = line({ text: LEGEND, tone: "dim" });
  const all = placesOf(hard, "region").flatMap((region) => [
    placeLine(region, { bar, indent: "" }),
    ...placesOf(region.nodes, "zone").map((zone) => placeLine(zone, { bar, indent: "  " })),
  ]);
  const room = Math.max(1, most - 1);
  if (all.length <= room) return [legend, ...all];
  // Regions first: the partitioned ones are part of the list.
  const regions = placesOf(hard, "region").map((region) => placeLine(region, { bar, indent: "" }));
  const shown = regions.slice(0, regions.length <= room ? room : room - 1);
  const left = regions.length - shown.length;
  const more = left === 0 ? [] : [line({ text: `… and ${left} more regions`, tone: "dim" })];
  return [legend, ...shown, ...more];
}

function placesOf(nodes: readonly NodeRow[], by: "region" | "zone"): readonly Place[] {
  const found = new Map<string, NodeRow[]>();
  for (const node of nodes) {
    const known = found.get(node[by]);
    if (known === undefined) found.set(node[by], [node]);
    else known.push(node);
  }
  return [...found]
    .map(([name, of]) => ({ name, nodes: of }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function placeLine(
  { name, nodes }: Place,
  { bar, indent }: { readonly bar: number; readonly indent: string },
): StyledLine {
  const cpu = sumOf(nodes.map((node) => node.cpu));
  const memory = sumOf(nodes.map((node) => node.memory));
  const title: Part = {
    text: padded(`${indent}${name}`, NAME_WIDTH),
    tone: indent === "" ? "title" : "plain",
  };
  return line(
    title,
    " cpu ",
    ...capacityBar(cpu, bar),
    ` ${percent(cpu)} ${padded(String(formatCpu(cpu[5])), 7)} mem `,
    ...capacityBar(memory, bar),
    ` ${percent(memory)} ${formatMemory(memory[5])}`,
  );
}

export const percent = (shares: Shares): string =>
  `${Math.round(100 * fullness(shares))}%`.padStart(4);
