/**
 * Draws the turns of the rows in view. Marks that would fall on the same pixel are drawn once, so a
 * frame costs what the screen can show and not what the run has.
 */
import type { Scene } from "./scene.ts";
import { firstAtLeast } from "../reading/sorted-search.ts";
import { ROW_HEIGHT, xOf, yOf } from "./stage-geometry.ts";
import type { TurnKind } from "./turn-shapes.ts";

type Context = CanvasRenderingContext2D;

/** Marks of one kind that are nearer than this cannot be told apart. */
const TELLABLE = 3.5;

/** A row that has a turn on every so many pixels is a row of bars. */
const DENSE = 8;

/** A word beside a mark is worth reading from here on. */
const WORD_ROOM = 84;

/**
 * What a letter of 11 px takes on average: measuring each text in each frame costs more than it
 * gives.
 */
const LETTER = 6.2;

/** Drawn last, so that nothing covers them. */
const ON_TOP: ReadonlySet<TurnKind> = new Set(["fault", "violate", "refuse"]);

export function drawTurns(context: Context, scene: Scene): void {
  context.font = `11px ${scene.palette.font}`;
  context.textBaseline = "middle";
  for (const [row, { lanes }] of scene.rows.entries()) {
    const y = yOf(scene, row);
    if (y < 0 || y > scene.size.height + ROW_HEIGHT) continue;
    drawRow(context, scene, { turns: turnsInView(scene, lanes), y });
  }
  drawRings(context, scene);
}

/** In order; lanes of a folded row are merged. */
function turnsInView(scene: Scene, lanes: readonly number[]): number[] {
  const { axis, index, shown, window } = scene;
  const margin = (window.to - window.from) / 40;
  const first = firstAtLeast(axis.positions, window.from - margin);
  const end = firstAtLeast(axis.positions, window.to + margin);
  const found: number[] = [];
  for (const lane of lanes) {
    const turns = index.laneTurns[lane] ?? new Int32Array();
    for (let at = firstAtLeast(turns, first); at < turns.length; at++) {
      const turn = turns[at] ?? end;
      if (turn >= end) break;
      if (shown[turn] !== 0) found.push(turn);
    }
  }
  return lanes.length > 1 ? found.toSorted((a, b) => a - b) : found;
}

function drawRow(
  context: Context,
  scene: Scene,
  { turns, y }: { readonly turns: readonly number[]; readonly y: number },
): void {
  const lastX = new Map<TurnKind, number>();
  const above: Spot[] = [];
  const isDense = turns.length * DENSE > scene.size.width;
  for (const [at, turn] of turns.entries()) {
    const x = xOf(scene, scene.axis.positions[turn] ?? 0);
    const what = scene.index.document.turns[turn]?.what ?? "other";
    if (x - (lastX.get(what) ?? -100) < TELLABLE) continue;
    lastX.set(what, x);
    const next = turns[at + 1];
    const room =
      next === undefined ? scene.size.width - x : xOf(scene, scene.axis.positions[next] ?? 0) - x;
    if (room > WORD_ROOM) drawWords(context, scene, { turn, x, y, room });
    if (ON_TOP.has(what)) above.push({ turn, x, y });
    else if (isDense) drawBar(context, scene, { turn, x, y });
    else drawMark(context, scene, { turn, x, y });
  }
  for (const spot of above) drawMark(context, scene, spot);
}

/** From afar: no shape could be made out, and nearer there is one. */
function drawBar(context: Context, scene: Scene, { turn, x, y }: Spot): void {
  const what = scene.index.document.turns[turn]?.what ?? "other";
  context.globalAlpha = scene.shown[turn] === 1 ? 0.18 : 0.85;
  context.fillStyle = scene.palette.turns[what];
  context.fillRect(x - 1, y - 5, 2, 10);
  context.globalAlpha = 1;
}

interface Spot {
  readonly turn: number;
  readonly x: number;
  readonly y: number;
}

function drawMark(context: Context, scene: Scene, { turn, x, y }: Spot): void {
  const what = scene.index.document.turns[turn]?.what ?? "other";
  const { image, side } = scene.sprites[what];
  context.globalAlpha = scene.shown[turn] === 1 ? 0.18 : 1;
  context.drawImage(image, x - side / 2, y - side / 2, side, side);
  context.globalAlpha = 1;
}

function drawWords(context: Context, scene: Scene, spot: Spot & { readonly room: number }): void {
  const { turn, x, y, room } = spot;
  if (scene.shown[turn] === 1) return;
  const text = scene.index.document.turns[turn]?.text ?? "";
  const letters = Math.floor((room - 20) / LETTER);
  const words = text.length <= letters ? text : `${text.slice(0, letters - 1)}…`;
  context.fillStyle = scene.chain.has(turn) ? scene.palette.text : scene.palette.faint;
  context.fillText(words, x + 10, y + 0.5);
}

/** Around the selected turn, and thinner around the one under the pointer. */
function drawRings(context: Context, scene: Scene): void {
  const { selected, hovered, palette } = scene;
  const ring = (turn: number, radius: number, width: number): void => {
    const row = scene.rowOf[scene.index.document.turns[turn]?.lane ?? -1] ?? -1;
    if (row < 0 || scene.shown[turn] === 0) return;
    context.beginPath();
    context.lineWidth = width;
    context.strokeStyle = palette.accent;
    context.arc(xOf(scene, scene.axis.positions[turn] ?? 0), yOf(scene, row), radius, 0, 7);
    context.stroke();
  };
  if (hovered !== undefined && hovered !== selected) ring(hovered, 9, 1);
  ring(selected, 10.5, 2);
}
