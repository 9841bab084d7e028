/**
 * Shapes drawn once and copied from then on: copying an image is several times cheaper than filling
 * a path, and there may be thousands in one frame.
 */
import type { Palette } from "./palette.ts";
import { TURN_KINDS, TURN_SHAPES, type TurnKind, type TurnShape } from "./turn-shapes.ts";

/** A side of a plain shape on the canvas. */
const SIDE = 11;

/** The box that shapes are described in; see turn-shapes.ts. */
const BOX = 12;

export interface Sprite {
  readonly image: HTMLCanvasElement;
  /** In CSS pixels. */
  readonly side: number;
}

export type TurnSprites = Readonly<Record<TurnKind, Sprite>>;

export function makeSprites(palette: Palette, ratio: number): TurnSprites {
  const entries = TURN_KINDS.map((kind) => [
    kind,
    spriteOf(TURN_SHAPES[kind], palette.turns[kind], { palette, ratio }),
  ]);
  return Object.fromEntries(entries) as Record<TurnKind, Sprite>;
}

export function spriteOf(
  shape: TurnShape,
  colour: string,
  { palette, ratio }: { readonly palette: Palette; readonly ratio: number },
): Sprite {
  const side = SIDE * shape.scale + 2;
  const image = document.createElement("canvas");
  image.width = Math.ceil(side * ratio);
  image.height = image.width;
  const context = image.getContext("2d");
  if (!context) return { image, side };
  const scale = (SIDE * shape.scale * ratio) / BOX;
  context.translate(ratio, ratio);
  context.scale(scale, scale);
  context.lineWidth = shape.isHollow ? 2 : 1.6;
  // A rim in the colour of the ground keeps shapes that overlap apart.
  context.strokeStyle = shape.isHollow ? colour : palette.ground;
  context.fillStyle = shape.isHollow ? palette.ground : colour;
  trace(context, new Path2D(shape.path));
  if (shape === TURN_SHAPES.violate) sayStop(context, palette);
  return { image, side };
}

function trace(context: CanvasRenderingContext2D, path: Path2D): void {
  context.stroke(path);
  context.fill(path);
}

/** An exclamation mark, so that the one turn that must be found looks like no other. */
function sayStop(context: CanvasRenderingContext2D, { ground }: Palette): void {
  context.fillStyle = ground;
  context.fillRect(5.2, 2.2, 1.6, 4.8);
  context.fillRect(5.2, 8.2, 1.6, 1.6);
}
