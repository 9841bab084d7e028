/**
 * Draws the map, all of it or single cells. State is told by shape as well as by colour, as small
 * as a cell may be.
 */
import { placeOf } from "./cell-places.ts";
import { CORDONED, DRAINING, type FleetCells, HEALTH_MASK, HELD, SOFT } from "./fleet-cells.ts";
import type { MapPalette } from "./map-palette.ts";
import { REGION_LABEL_PX, ZONE_LABEL_PX, ZONE_PAD, type ZoneLayout } from "./zone-layout.ts";

export interface MapScene {
  readonly layout: ZoneLayout;
  readonly cells: FleetCells;
  readonly palette: MapPalette;
  /** By cell, whether the filter leaves it out. */
  readonly dimmed: Uint8Array | undefined;
  /** The second line of a large tile. */
  readonly noteOf: (cell: number) => string;
}

type Canvas = CanvasRenderingContext2D;

/** Below this a cell has no room for a name. */
export const NAME_PX = 60;
/** And below this none for a second line. */
const NOTE_PX = 40;
const INDENT = 8;
/** What does not match is still there, as a shadow. */
const DIMMED = 0.18;

export function drawMap(context: Canvas, scene: MapScene): void {
  const { layout, palette, cells } = scene;
  context.globalAlpha = 1;
  context.clearRect(0, 0, layout.width, layout.height);
  context.textBaseline = "middle";
  for (const { region, x, y, width, height } of layout.regions) {
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    context.font = `600 13px ${palette.font}`;
    context.fillStyle = palette.text;
    label(context, region, { x: x + 10, y: y + REGION_LABEL_PX / 2 + 1, width: width - 16 });
  }
  for (const { zone, nodes, x, y, width, height } of layout.zones) {
    context.fillStyle = palette.surface;
    context.fillRect(x, y, width, height);
    context.font = `12px ${palette.font}`;
    context.fillStyle = palette.quiet;
    const at = { x: x + ZONE_PAD, y: y + ZONE_LABEL_PX / 2, width: width - 2 * ZONE_PAD };
    const counted = `${zone} · ${nodes}`;
    label(context, context.measureText(counted).width <= at.width ? counted : zone, at);
  }
  for (let cell = 0; cell < cells.names.length; cell += 1) drawCell(context, scene, cell);
}

export function drawCell(context: Canvas, scene: MapScene, cell: number): void {
  const { layout, palette, cells, dimmed } = scene;
  const place = placeOf(layout, cell);
  if (place === undefined) return;
  const { x, y } = place;
  const { width, height, gap } = layout.cell;
  const marks = cells.marks[cell] ?? 0;
  const step = cells.steps[cell] ?? 0;
  // A change redraws all of it and nothing of its neighbours.
  context.globalAlpha = 1;
  context.fillStyle = palette.surface;
  context.fillRect(x - gap / 2, y - gap / 2, width + gap, height + gap);
  if (dimmed?.[cell] === 1) context.globalAlpha = DIMMED;
  context.fillStyle = palette.fills[step] ?? palette.ground;
  context.fillRect(x, y, width, height);
  const box = { x, y, width, height };
  if (marks !== 0) drawMarks(context, box, { marks, palette });
  if (width >= NAME_PX) drawWords(context, box, { scene, cell });
  context.globalAlpha = 1;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function drawMarks(
  context: Canvas,
  box: Box,
  { marks, palette }: { readonly marks: number; readonly palette: MapPalette },
): void {
  const { x, y, width, height } = box;
  const health = marks & HEALTH_MASK;
  const thick = height >= 11 ? 2 : 1;
  if ((marks & SOFT) !== 0) {
    context.setLineDash(height >= 11 ? [4, 3] : [2, 1]);
    outline(context, box, { colour: palette.quiet, thick: 1 });
    context.setLineDash([]);
  }
  if (health > 1) {
    hatch(context, box, palette.bad);
    outline(context, box, { colour: palette.bad, thick });
  }
  if (health === 3) cross(context, box, palette.bad);
  if (health === 1) outline(context, box, { colour: palette.wait, thick });
  const small = Math.max(2, Math.min(5, Math.round(height / 4)));
  if ((marks & (CORDONED | HELD)) !== 0) {
    // A bar along the bottom: closed. Where there is room, a line keeps it apart from a dark
    // colour.
    context.fillStyle = palette.surface;
    if (height >= 11) context.fillRect(x, y + height - small - 1, width, small + 1);
    context.fillStyle = (marks & CORDONED) === 0 ? palette.wait : palette.text;
    context.fillRect(x, y + height - small, width, small);
  }
  if ((marks & DRAINING) !== 0) corner(context, box, palette);
}

function outline(
  context: Canvas,
  { x, y, width, height }: Box,
  { colour, thick }: { readonly colour: string; readonly thick: number },
): void {
  context.strokeStyle = colour;
  context.lineWidth = thick;
  context.strokeRect(x + thick / 2, y + thick / 2, width - thick, height - thick);
}

/** Slanted lines, cut off at the edges of the cell. */
function hatch(context: Canvas, { x, y, width, height }: Box, colour: string): void {
  const apart = Math.max(3, Math.min(7, height / 3));
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.beginPath();
  for (let from = -height; from < width; from += apart) {
    context.moveTo(x + from, y + height);
    context.lineTo(x + from + height, y);
  }
  context.strokeStyle = colour;
  context.lineWidth = height >= 11 ? 1.5 : 1;
  context.stroke();
  context.restore();
}

function cross(context: Canvas, { x, y, width, height }: Box, colour: string): void {
  // In a tile with a name it stands at the right, else over all of the cell.
  const size = width > height ? Math.min(16, height * 0.4) : height;
  const left = width > height ? x + width - size - 6 : x;
  const top = width > height ? y + 6 : y;
  context.strokeStyle = colour;
  context.lineWidth = height >= 11 ? 3 : 1.5;
  context.beginPath();
  context.moveTo(left, top);
  context.lineTo(left + size, top + size);
  context.moveTo(left + size, top);
  context.lineTo(left, top + size);
  context.stroke();
}

/** A triangle that points out of the cell at its lower right: everything leaves. */
function corner(context: Canvas, { x, y, width, height }: Box, palette: MapPalette): void {
  const size = Math.max(4, Math.min(14, height / 2));
  context.fillStyle = palette.busy;
  context.strokeStyle = palette.ground;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x + width, y + height - size);
  context.lineTo(x + width, y + height);
  context.lineTo(x + width - size, y + height);
  context.closePath();
  context.stroke();
  context.fill();
}

function drawWords(
  context: Canvas,
  { x, y, width, height }: Box,
  { scene, cell }: { readonly scene: MapScene; readonly cell: number },
): void {
  const { palette, cells } = scene;
  const step = cells.steps[cell] ?? 0;
  const marks = cells.marks[cell] ?? 0;
  const isDead = (marks & HEALTH_MASK) > 1;
  const room = width - 2 * INDENT - ((marks & HEALTH_MASK) === 3 ? height * 0.4 : 0);
  context.font = `600 12px ${palette.font}`;
  const hasNote = height >= NOTE_PX;
  const nameAt = { x: x + INDENT, y: y + (hasNote ? height / 3 : height / 2 - 1), width: room };
  // Hatched cells have no even ground to read on.
  if (isDead) plate(context, cells.names[cell] ?? "", { at: nameAt, palette });
  context.fillStyle = isDead ? palette.text : (palette.inks[step] ?? palette.text);
  label(context, cells.names[cell] ?? "", nameAt);
  if (!hasNote) return;
  context.font = `12px ${palette.font}`;
  const note = scene.noteOf(cell);
  const noteAt = { x: x + INDENT, y: nameAt.y + 16, width: width - 2 * INDENT };
  if (isDead) plate(context, note, { at: noteAt, palette });
  context.fillStyle = isDead ? palette.text : (palette.inks[step] ?? palette.text);
  label(context, note, noteAt);
}

interface Line {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function plate(
  context: Canvas,
  text: string,
  { at, palette }: { readonly at: Line; readonly palette: MapPalette },
): void {
  context.fillStyle = palette.ground;
  const width = Math.min(at.width, context.measureText(text).width);
  context.fillRect(at.x - 2, at.y - 8, width + 4, 16);
}

/** What does not fit is cut, and says so. */
function label(context: Canvas, text: string, { x, y, width }: Line): void {
  let shown = text;
  if (context.measureText(shown).width > width) {
    let length = text.length - 1;
    while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > width)
      length -= 1;
    shown = `${text.slice(0, length)}…`;
  }
  context.fillText(shown, x, y);
}
