/**
 * Where things are on the canvas of lanes, in CSS pixels: what is drawn and what a pointer hits
 * must agree.
 */
import type { Axis, Window } from "./axis.ts";
import type { IncidentIndex } from "../reading/incident-index.ts";
import type { LaneRow } from "./lane-rows.ts";
import { firstAtLeast } from "../reading/sorted-search.ts";

/** Tall enough for a shape and its word; sixty of them are three screens. */
export const ROW_HEIGHT = 24;

/** The ruler on top. */
export const RULER_HEIGHT = 24;

/** A finger or a pointer that is this near has hit. */
const REACH = 9;

export interface StageSize {
  readonly width: number;
  readonly height: number;
}

/** Names of lanes need room, and a phone has little. */
export const gutterOf = ({ width }: StageSize): number => (width < 560 ? 84 : 148);

export interface Stage {
  readonly axis: Axis;
  readonly window: Window;
  readonly size: StageSize;
  readonly scrollTop: number;
}

export function xOf({ window, size }: Pick<Stage, "window" | "size">, position: number): number {
  const gutter = gutterOf(size);
  const share = (position - window.from) / (window.to - window.from);
  return gutter + share * (size.width - gutter);
}

export function positionAt({ window, size }: Stage, x: number): number {
  const gutter = gutterOf(size);
  return window.from + ((x - gutter) / (size.width - gutter)) * (window.to - window.from);
}

/** The middle of a row. */
export const yOf = ({ scrollTop }: Stage, row: number): number =>
  RULER_HEIGHT + row * ROW_HEIGHT + ROW_HEIGHT / 2 - scrollTop;

/** The row under a pointer; undefined over the ruler. */
export function rowAt({ scrollTop }: Stage, y: number): number | undefined {
  return y < RULER_HEIGHT ? undefined : Math.floor((y - RULER_HEIGHT + scrollTop) / ROW_HEIGHT);
}

/** The turn nearest to a pointer in its row, if it is near enough to be meant. */
export function turnAt(of: {
  readonly stage: Stage;
  readonly index: IncidentIndex;
  readonly rows: readonly LaneRow[];
  readonly isShown: (turn: number) => boolean;
  readonly x: number;
  readonly y: number;
}): number | undefined {
  const { stage, index, x } = of;
  const row = of.rows[rowAt(stage, of.y) ?? -1];
  if (!row || x < gutterOf(stage.size)) return undefined;
  const { positions } = stage.axis;
  const from = firstAtLeast(positions, positionAt(stage, x - REACH));
  let best: number | undefined;
  let nearest = REACH + 1;
  for (let turn = from; turn < positions.length; turn++) {
    const distance = Math.abs(xOf(stage, positions[turn] ?? 0) - x);
    if (distance > REACH && (positions[turn] ?? 0) > positionAt(stage, x)) break;
    const lane = index.document.turns[turn]?.lane ?? -1;
    if (distance < nearest && row.lanes.includes(lane) && of.isShown(turn)) {
      best = turn;
      nearest = distance;
    }
  }
  return best;
}
