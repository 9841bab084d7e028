/**
 * The whole run at a glance. A press or a drag moves what the lanes show; a press on a mark selects
 * its turn.
 */
import { computed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import {
  countBars,
  drawOverview,
  markSprites,
  MARKS_HEIGHT,
  overviewX,
} from "./draw/draw-overview.ts";
import type { IncidentModel } from "./reading/incident-model.ts";
import { paintOn, watchSurface } from "./draw/paint-on.ts";
import { readPalette } from "./draw/palette.ts";

/** A pointer this near to a mark means it. */
const REACH = 8;

export function OverviewStrip({ model }: { readonly model: IncidentModel }) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!box.current || !canvas.current) return undefined;
    return mount(model, box.current, canvas.current);
  }, [model]);
  return (
    <div class="incident-overview" ref={box}>
      <canvas ref={canvas} class="incident-canvas" aria-hidden="true" />
    </div>
  );
}

function mount(model: IncidentModel, box: HTMLElement, canvas: HTMLCanvasElement): () => void {
  const surface = watchSurface(box);
  const palette = computed(() => (surface.theme.value, readPalette(box)));
  const marks = computed(() => markSprites(palette.value, surface.ratio.value));
  const bars = computed(() =>
    countBars(model.listed.value, { axis: model.axis.value, size: surface.size.value }),
  );
  const stop = paintOn({
    canvas,
    surface,
    read: () => ({
      index: model.index,
      axis: model.axis.value,
      window: model.window.value,
      selected: model.turn.value,
      size: surface.size.value,
      palette: palette.value,
      marks: marks.value,
      bars: bars.value,
    }),
    paint: drawOverview,
  });
  const unfollow = follow(model, canvas);
  return () => {
    stop();
    unfollow();
    surface.stop();
  };
}

function follow(model: IncidentModel, canvas: HTMLCanvasElement): () => void {
  const pressed = (event: PointerEvent): void => {
    canvas.setPointerCapture(event.pointerId);
    const mark = markAt(model, canvas, event);
    if (mark === undefined) centre(model, canvas, event.offsetX);
    else model.go(mark);
  };
  const moved = (event: PointerEvent): void => {
    if (event.buttons === 1) centre(model, canvas, event.offsetX);
  };
  canvas.addEventListener("pointerdown", pressed);
  canvas.addEventListener("pointermove", moved);
  return () => {
    canvas.removeEventListener("pointerdown", pressed);
    canvas.removeEventListener("pointermove", moved);
  };
}

function centre(model: IncidentModel, canvas: HTMLCanvasElement, x: number): void {
  const axis = model.axis.peek();
  const { from, to } = model.window.peek();
  const at = axis.start + (x / canvas.clientWidth) * (axis.end - axis.start);
  model.look({ from: at - (to - from) / 2, to: at + (to - from) / 2 });
}

function markAt(
  model: IncidentModel,
  canvas: HTMLCanvasElement,
  { offsetX, offsetY }: PointerEvent,
): number | undefined {
  if (offsetY > MARKS_HEIGHT + 4) return undefined;
  const axis = model.axis.peek();
  const size = { width: canvas.clientWidth, height: canvas.clientHeight };
  const far = (turn: number): number =>
    Math.abs(overviewX({ axis, size }, axis.positions[turn] ?? 0) - offsetX);
  const [nearest] = model.index.markTurns.toSorted((a, b) => far(a) - far(b));
  return nearest !== undefined && far(nearest) <= REACH ? nearest : undefined;
}
