/**
 * What is taken of a capacity as a bar of signs: each sign has a word in the legend, colour only
 * helps.
 */
import type { Part, Tone } from "./styled-line.ts";
import type { Shares } from "./top-state.ts";

interface Look {
  readonly sign: string;
  readonly word: string;
  readonly tone: Tone;
}

/** In the order of the shares, after the capacity. */
const LOOKS: readonly Look[] = [
  { sign: "#", word: "committed", tone: "good" },
  { sign: "+", word: "reclaimable", tone: "warn" },
  { sign: ":", word: "reserved", tone: "plain" },
  { sign: "=", word: "recovery", tone: "plain" },
  { sign: ".", word: "free", tone: "dim" },
];
const FREE = LOOKS.length - 1;

const SIGNS = LOOKS.map(({ sign, word }) => `${sign} ${word}`).join("  ");
export const LEGEND = `${SIGNS}  % taken, free`;

export function capacityBar([capacity, ...parts]: Shares, width: number): readonly Part[] {
  const taken = parts.reduce((sum, part) => sum + part, 0);
  const total = Math.max(capacity, taken);
  if (total === 0) return [{ text: `[${"-".repeat(width)}]`, tone: "dim" }];
  const cells = cellsFor(parts, total, width);
  const drawn = LOOKS.map(({ sign, tone }, at) => ({ text: sign.repeat(cells[at] ?? 0), tone }));
  return [{ text: "[" }, ...drawn.filter(({ text }) => text !== ""), { text: "]" }];
}

/**
 * Whatever is there gets a cell, so that the little that is held of much is seen; the largest gives
 * way.
 */
function cellsFor(parts: readonly number[], total: number, width: number): readonly number[] {
  const cells = parts.map((part) =>
    part === 0 ? 0 : Math.max(1, Math.floor((part * width) / total)),
  );
  const left = width - cells.reduce((sum, count) => sum + count, 0);
  const largest = parts.indexOf(Math.max(...parts));
  const takes = left > 0 && (parts[FREE] ?? 0) > 0 ? FREE : largest;
  return cells.map((count, at) => (at === takes ? Math.max(0, count + left) : count));
}

export const sumOf = (all: readonly Shares[]): Shares =>
  all.reduce<Shares>(
    (sum, [a, b, c, d, e, f]) => [
      sum[0] + a,
      sum[1] + b,
      sum[2] + c,
      sum[3] + d,
      sum[4] + e,
      sum[5] + f,
    ],
    [0, 0, 0, 0, 0, 0],
  );

/** How much of it is not free, from 0 to 1, and beyond where more was promised than is there. */
export const fullness = ([capacity, ...parts]: Shares): number => {
  const taken = parts.slice(0, FREE).reduce((sum, part) => sum + part, 0);
  return capacity === 0 ? (taken > 0 ? 1 : 0) : taken / capacity;
};
