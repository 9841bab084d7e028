/**
 * Draws the lanes: rows, ruler, where somebody was wrong, messages, turns, and the line at the
 * selected turn.
 */
import { ticksIn } from "./axis.ts";
import { drawArrows } from "./draw-arrows.ts";
import { drawTurns } from "./draw-turns.ts";
import { momentText } from "../moment-text.ts";
import type { Scene } from "./scene.ts";
import { gutterOf, ROW_HEIGHT, RULER_HEIGHT, xOf, yOf } from "./stage-geometry.ts";

type Context = CanvasRenderingContext2D;

/** Words on the ruler need this much. */
const TICK_WIDTH = 96;

export function drawLanes(context: Context, scene: Scene): void {
  const { size, palette } = scene;
  const gutter = gutterOf(size);
  context.fillStyle = palette.ground;
  context.fillRect(0, 0, size.width, size.height);
  drawBands(context, scene);
  within(context, { x: gutter, y: RULER_HEIGHT, ...insideOf(scene) }, () => {
    drawTickLines(context, scene);
    drawWrong(context, scene);
    drawPoints(context, scene);
    drawPlayhead(context, scene);
    drawArrows(context, scene);
    drawTurns(context, scene);
  });
  within(context, { x: 0, y: RULER_HEIGHT, width: gutter, height: size.height }, () => {
    drawNames(context, scene);
  });
  drawRuler(context, scene);
}

const insideOf = ({ size }: Scene): { width: number; height: number } => ({
  width: size.width - gutterOf(size),
  height: size.height - RULER_HEIGHT,
});

function within(
  context: Context,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  draw: () => void,
): void {
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  draw();
  context.restore();
}

/** Only rows that are in view. */
function* rowsInView({ rows, scrollTop, size }: Scene): Generator<number> {
  const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT));
  const last = Math.min(rows.length - 1, Math.ceil((scrollTop + size.height) / ROW_HEIGHT));
  for (let row = first; row <= last; row++) yield row;
}

function drawBands(context: Context, scene: Scene): void {
  const { palette, size, rows } = scene;
  for (const row of rowsInView(scene)) {
    const top = yOf(scene, row) - ROW_HEIGHT / 2;
    if (row % 2 === 1) {
      context.fillStyle = palette.band;
      context.fillRect(0, top, size.width, ROW_HEIGHT);
    }
    if (row > 0 && rows[row]?.kind !== rows[row - 1]?.kind) {
      context.fillStyle = palette.line;
      context.fillRect(0, Math.round(top), size.width, 1);
    }
  }
}

function drawTickLines(context: Context, scene: Scene): void {
  const { palette, size } = scene;
  context.fillStyle = palette.line;
  context.globalAlpha = 0.5;
  for (const tick of ticksOf(scene)) {
    context.fillRect(Math.round(xOf(scene, tick)), RULER_HEIGHT, 1, size.height);
  }
  context.globalAlpha = 1;
}

/** Round moments of the clock that is shown, which began at an odd one. */
function ticksOf({ axis, index, size, window }: Scene): readonly number[] {
  const began = axis.kind === "time" ? (index.document.source.epochMs ?? 0) : 0;
  const shown = { from: window.from + began, to: window.to + began };
  return ticksIn(shown, (size.width - gutterOf(size)) / TICK_WIDTH).map((tick) => tick - began);
}

/** A hatched band, so that it is told from a colour by its pattern. */
function drawWrong(context: Context, scene: Scene): void {
  const { axis, palette, rowOf, wrong, size } = scene;
  context.fillStyle = palette.wrong;
  context.strokeStyle = palette.wrong;
  context.lineWidth = 1;
  for (const [lane, spans] of wrong.entries()) {
    const row = rowOf[lane] ?? -1;
    const y = yOf(scene, row);
    if (row < 0 || y < 0 || y > size.height + ROW_HEIGHT) continue;
    for (const { from, to } of spans) {
      const left = Math.max(gutterOf(size), xOf(scene, axis.positions[from] ?? 0));
      const right = Math.min(size.width, xOf(scene, axis.positions[to] ?? 0));
      if (right > left) hatch(context, { left, right, y });
    }
  }
}

function hatch(
  context: Context,
  { left, right, y }: { readonly left: number; readonly right: number; readonly y: number },
): void {
  const top = y - ROW_HEIGHT / 2 + 2;
  const height = ROW_HEIGHT - 4;
  context.globalAlpha = 0.1;
  context.fillRect(left, top, right - left, height);
  context.globalAlpha = 0.28;
  within(context, { x: left, y: top, width: right - left, height }, () => {
    context.beginPath();
    const first = Math.floor((left - height) / 8) * 8;
    for (let x = first; x < right; x += 8) {
      context.moveTo(x, top + height);
      context.lineTo(x + height, top);
    }
    context.stroke();
  });
  context.globalAlpha = 1;
}

/** Points of no return, as dashed lines over all lanes. */
function drawPoints(context: Context, scene: Scene): void {
  const { axis, index, palette, size } = scene;
  context.strokeStyle = palette.marks.point;
  context.lineWidth = 2;
  context.setLineDash([6, 4]);
  for (const { kind, turn } of index.document.marks) {
    if (kind !== "point") continue;
    const x = Math.round(xOf(scene, axis.positions[turn] ?? 0));
    context.beginPath();
    context.moveTo(x, RULER_HEIGHT);
    context.lineTo(x, size.height);
    context.stroke();
  }
  context.setLineDash([]);
}

function drawPlayhead(context: Context, scene: Scene): void {
  const { axis, palette, selected, size } = scene;
  const x = Math.round(xOf(scene, axis.positions[selected] ?? 0));
  context.fillStyle = palette.accent;
  context.globalAlpha = 0.75;
  context.fillRect(x, RULER_HEIGHT, 1.5, size.height);
  context.globalAlpha = 1;
}

function drawNames(context: Context, scene: Scene): void {
  const { index, palette, rows, selected, size } = scene;
  const gutter = gutterOf(size);
  const lane = index.document.turns[selected]?.lane ?? -1;
  context.textBaseline = "middle";
  for (const row of rowsInView(scene)) {
    const at = rows[row];
    if (!at) continue;
    const isHere = at.lanes.includes(lane);
    context.font = `${isHere ? 600 : 400} 12px ${palette.font}`;
    context.fillStyle = isHere ? palette.accent : palette.text;
    const label = at.isFolded ? `▸ ${at.label} (${at.lanes.length})` : at.label;
    context.fillText(shortened(context, label, gutter - 16), 8, yOf(scene, row) + 0.5);
  }
  context.fillStyle = palette.line;
  context.fillRect(gutter - 1, RULER_HEIGHT, 1, size.height);
}

export function shortened(context: Context, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let end = Math.max(1, Math.floor((width / context.measureText(text).width) * text.length));
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end--;
  return `${text.slice(0, end)}…`;
}

function drawRuler(context: Context, scene: Scene): void {
  const { axis, index, palette, selected, size } = scene;
  const gutter = gutterOf(size);
  const { epochMs } = index.document.source;
  context.fillStyle = palette.band;
  context.fillRect(0, 0, size.width, RULER_HEIGHT);
  context.fillStyle = palette.line;
  context.fillRect(0, RULER_HEIGHT - 1, size.width, 1);
  context.font = `11px ${palette.font}`;
  context.textBaseline = "middle";
  context.fillStyle = palette.faint;
  context.fillText(axis.kind === "time" ? "time" : "turn", 8, RULER_HEIGHT / 2);
  within(context, { x: gutter, y: 0, width: size.width, height: RULER_HEIGHT }, () => {
    for (const tick of ticksOf(scene)) {
      const label = axis.kind === "time" ? momentText(tick, epochMs ?? undefined) : `${tick}`;
      context.fillText(label, xOf(scene, tick) + 4, RULER_HEIGHT / 2);
    }
    const x = xOf(scene, axis.positions[selected] ?? 0);
    context.fillStyle = palette.accent;
    context.beginPath();
    context.moveTo(x - 5, RULER_HEIGHT - 8);
    context.lineTo(x + 6, RULER_HEIGHT - 8);
    context.lineTo(x + 0.5, RULER_HEIGHT);
    context.fill();
  });
}
