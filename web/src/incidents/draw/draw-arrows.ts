/**
 * Draws messages between turns. Those that led to the selected turn or came of it are always drawn;
 * the others only while there are few enough to follow with the eye. One that never arrived ends in
 * a cross.
 */
import type { Arrow } from "../../../../src/incident/incident-document.ts";
import type { Scene } from "./scene.ts";
import { firstAtLeast } from "../reading/sorted-search.ts";
import { ROW_HEIGHT, xOf, yOf } from "./stage-geometry.ts";

type Context = CanvasRenderingContext2D;

/** More than this is a grey carpet. */
const FOLLOWABLE = 200;

/** How far a lost message is drawn. */
const STUB = 26;

export function drawArrows(context: Context, scene: Scene): void {
  const isOwn = ({ from, to }: Arrow): boolean =>
    from === scene.selected || (to !== undefined && to === scene.selected);
  const others = arrowsInView(scene).filter((arrow) => !isOwn(arrow) || isLost(arrow));
  const isFew = others.length <= FOLLOWABLE;
  context.lineWidth = 1;
  for (const arrow of isFew ? others : others.filter(isLost).slice(0, FOLLOWABLE)) {
    context.globalAlpha = isLost(arrow) ? 0.9 : 0.28;
    drawArrow(context, scene, { arrow, colour: scene.palette.faint });
  }
  context.globalAlpha = 1;
  context.lineWidth = 2;
  for (const [from, to] of scene.path) {
    if (!isDrawn(scene, from) || !isDrawn(scene, to)) continue;
    drawArrow(context, scene, { arrow: { from, to, what: "" }, colour: scene.palette.accent });
  }
}

const isLost = ({ to }: Arrow): boolean => typeof to !== "number";

/** An arrow is in view when it begins before the right edge and ends after the left one. */
function arrowsInView(scene: Scene): Arrow[] {
  const { axis, index, window } = scene;
  const first = firstAtLeast(axis.positions, window.from);
  const end = firstAtLeast(axis.positions, window.to);
  return index.document.arrows.filter(({ from, to }) => {
    if (from >= end || (to ?? from) < first) return false;
    return isDrawn(scene, from) && isDrawn(scene, to ?? from);
  });
}

function isDrawn({ index, rowOf, shown }: Scene, turn: number): boolean {
  return shown[turn] === 2 && (rowOf[index.document.turns[turn]?.lane ?? -1] ?? -1) >= 0;
}

function drawArrow(
  context: Context,
  scene: Scene,
  { arrow, colour }: { readonly arrow: Arrow; readonly colour: string },
): void {
  const from = spotOf(scene, arrow.from);
  const isArrived = typeof arrow.to === "number";
  const to = isArrived
    ? spotOf(scene, arrow.to ?? 0)
    : { x: from.x + STUB, y: from.y + ROW_HEIGHT * 0.6 };
  if (Math.max(from.y, to.y) < 0 || Math.min(from.y, to.y) > scene.size.height) return;
  context.strokeStyle = isArrived ? colour : scene.palette.wrong;
  context.fillStyle = colour;
  context.setLineDash(isArrived ? [] : [3, 3]);
  context.beginPath();
  context.moveTo(from.x, from.y);
  if (isArrived) context.bezierCurveTo(...bendOf(from, to));
  else context.lineTo(to.x, to.y);
  context.stroke();
  context.setLineDash([]);
  if (isArrived) drawHead(context, from, to);
  else drawCross(context, to);
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

function spotOf(scene: Scene, turn: number): Spot {
  const lane = scene.index.document.turns[turn]?.lane ?? -1;
  return { x: xOf(scene, scene.axis.positions[turn] ?? 0), y: yOf(scene, scene.rowOf[lane] ?? 0) };
}

/**
 * It leaves and arrives upright when both turns are close, so that it is seen between two marks.
 */
function bendOf(from: Spot, to: Spot): [number, number, number, number, number, number] {
  const reach = Math.min(40, Math.abs(to.x - from.x) / 2);
  return [from.x + reach, from.y, to.x - reach, to.y, to.x, to.y];
}

function drawHead(context: Context, from: Spot, to: Spot): void {
  const isUpright = Math.abs(to.x - from.x) < 12;
  const angle = isUpright ? Math.atan2(to.y - from.y, to.x - from.x) : 0;
  const tip = { x: to.x - Math.cos(angle) * 6, y: to.y - Math.sin(angle) * 6 };
  context.beginPath();
  context.moveTo(tip.x, tip.y);
  for (const side of [2.7, -2.7]) {
    context.lineTo(tip.x + Math.cos(angle + side) * 6, tip.y + Math.sin(angle + side) * 6);
  }
  context.fill();
}

function drawCross(context: Context, { x, y }: Spot): void {
  context.beginPath();
  context.moveTo(x - 4, y - 4);
  context.lineTo(x + 4, y + 4);
  context.moveTo(x + 4, y - 4);
  context.lineTo(x - 4, y + 4);
  context.stroke();
}
