/**
 * Draws the whole run as one strip: how much happened when, the marks, what the lanes show of it,
 * the selected turn.
 */
import type { Mark } from "../../../../src/incident/incident-document.ts";
import type { Axis, Window } from "./axis.ts";
import type { IncidentIndex } from "../reading/incident-index.ts";
import type { Palette } from "./palette.ts";
import type { StageSize } from "./stage-geometry.ts";
import { MARK_SHAPES } from "./turn-shapes.ts";
import { type Sprite, spriteOf } from "./turn-sprites.ts";

type Context = CanvasRenderingContext2D;

/** The upper part is for marks, the lower one for how much happened. */
export const MARKS_HEIGHT = 18;

/** A bar of the strip. */
const BAR = 3;

export interface Overview {
  readonly index: IncidentIndex;
  readonly axis: Axis;
  readonly window: Window;
  readonly selected: number;
  readonly size: StageSize;
  readonly palette: Palette;
  readonly marks: Readonly<Record<Mark["kind"], Sprite>>;
  /** How many turns fall on each bar. */
  readonly bars: Uint32Array;
}

export function countBars(turns: Int32Array, strip: Pick<Overview, "axis" | "size">): Uint32Array {
  const bars = new Uint32Array(Math.max(1, Math.ceil(strip.size.width / BAR)));
  for (const turn of turns) {
    const at = Math.floor(overviewX(strip, strip.axis.positions[turn] ?? 0) / BAR);
    bars[at] = (bars[at] ?? 0) + 1;
  }
  return bars;
}

export function markSprites(palette: Palette, ratio: number): Overview["marks"] {
  const entries = KINDS.map((kind) => [
    kind,
    spriteOf(MARK_SHAPES[kind], palette.marks[kind], { palette, ratio }),
  ]);
  return Object.fromEntries(entries) as Record<Mark["kind"], Sprite>;
}

/** The last is drawn over the others. */
const KINDS: readonly Mark["kind"][] = ["lead", "fault", "divergence", "point", "violation"];

export const overviewX = (
  { axis, size }: Pick<Overview, "axis" | "size">,
  position: number,
): number => ((position - axis.start) / (axis.end - axis.start)) * size.width;

export function drawOverview(context: Context, overview: Overview): void {
  const { palette, size, window, axis, selected } = overview;
  context.fillStyle = palette.ground;
  context.fillRect(0, 0, size.width, size.height);
  const left = overviewX(overview, window.from);
  const right = overviewX(overview, window.to);
  context.fillStyle = palette.accent;
  context.globalAlpha = 0.14;
  context.fillRect(left, 0, Math.max(2, right - left), size.height);
  context.globalAlpha = 1;
  drawBars(context, overview);
  context.strokeStyle = palette.accent;
  context.lineWidth = 1;
  context.strokeRect(left + 0.5, 0.5, Math.max(2, right - left) - 1, size.height - 1);
  context.fillStyle = palette.accent;
  context.fillRect(
    Math.round(overviewX(overview, axis.positions[selected] ?? 0)),
    0,
    2,
    size.height,
  );
  drawMarks(context, overview);
}

function drawBars(context: Context, { bars, palette, size }: Overview): void {
  const most = Math.max(1, ...bars);
  const room = size.height - MARKS_HEIGHT - 2;
  context.fillStyle = palette.faint;
  context.globalAlpha = 0.7;
  for (const [at, count] of bars.entries()) {
    if (count === 0) continue;
    // The root lets quiet stretches be seen beside a burst of hundreds.
    const height = Math.max(2, Math.sqrt(count / most) * room);
    context.fillRect(at * BAR, size.height - height, BAR - 1, height);
  }
  context.globalAlpha = 1;
}

function drawMarks(context: Context, overview: Overview): void {
  const { axis, index, marks } = overview;
  for (const kind of KINDS) {
    const { image, side } = marks[kind];
    let last = -100;
    for (const mark of index.document.marks) {
      if (mark.kind !== kind) continue;
      const x = overviewX(overview, axis.positions[mark.turn] ?? 0);
      if (x - last < 3) continue;
      last = x;
      context.drawImage(image, x - side / 2, MARKS_HEIGHT / 2 - side / 2, side, side);
    }
  }
}
