/**
 * What a pointer does on the lanes: the wheel zooms, with shift it pans; dragging pans; two fingers
 * zoom; a click selects the turn that was hit, and on a name folds its kind.
 */
import type { IncidentModel } from "../reading/incident-model.ts";
import type { Scene } from "./scene.ts";
import { gutterOf, positionAt, rowAt, turnAt } from "./stage-geometry.ts";

/** A hand that clicks moves by less. */
const CLICK_REACH = 5;

/** One notch of a wheel is about 100 of it, and a fifth nearer feels like one step. */
const WHEEL_RATE = 0.002;

export interface StagePointer {
  readonly model: IncidentModel;
  readonly canvas: HTMLCanvasElement;
  readonly scroller: HTMLElement;
  readonly scene: () => Scene;
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

interface Grip {
  readonly start: Spot;
  readonly window: Scene["window"];
  readonly scrollTop: number;
  hasMoved: boolean;
}

/** Returns how to stop. */
export function followPointer(of: StagePointer): () => void {
  const { canvas, model } = of;
  const down = new Map<number, Spot>();
  let grip: Grip | undefined;
  const listeners = {
    pointerdown(event: PointerEvent): void {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, spotOf(event));
      grip = gripAt(of, spotOf(event));
    },
    pointermove(event: PointerEvent): void {
      const spot = spotOf(event);
      const before = down.get(event.pointerId);
      if (!before || !grip) {
        model.hovered.value = turnUnder(of, spot);
        return;
      }
      const others = [...down].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      down.set(event.pointerId, spot);
      if (others[0]) pinch(of, { before, spot, other: others[0] });
      else drag(of, grip, spot);
    },
    pointerup(event: PointerEvent): void {
      if (grip && !grip.hasMoved && down.size === 1) click(of, spotOf(event));
      down.delete(event.pointerId);
      grip = undefined;
    },
    pointercancel(event: PointerEvent): void {
      down.delete(event.pointerId);
      grip = undefined;
    },
    pointerleave: () => void (model.hovered.value = undefined),
    wheel: (event: WheelEvent) => wheel(of, event),
  };
  return listen(canvas, listeners);
}

function listen(canvas: HTMLCanvasElement, listeners: object): () => void {
  const entries = Object.entries(listeners) as [string, (event: Event) => void][];
  // The page must not scroll while the wheel zooms, so the browser has to wait for the answer.
  for (const [name, heard] of entries) canvas.addEventListener(name, heard, { passive: false });
  return () => {
    for (const [name, heard] of entries) canvas.removeEventListener(name, heard);
  };
}

const spotOf = ({ offsetX, offsetY }: MouseEvent): Spot => ({ x: offsetX, y: offsetY });

function gripAt({ scene, scroller }: StagePointer, start: Spot): Grip {
  return { start, window: scene().window, scrollTop: scroller.scrollTop, hasMoved: false };
}

function drag({ model, scene, scroller }: StagePointer, grip: Grip, spot: Spot): void {
  const dx = spot.x - grip.start.x;
  const dy = spot.y - grip.start.y;
  if (Math.hypot(dx, dy) < CLICK_REACH && !grip.hasMoved) return;
  grip.hasMoved = true;
  const { size } = scene();
  const { from, to } = grip.window;
  const by = (-dx / (size.width - gutterOf(size))) * (to - from);
  model.look({ from: from + by, to: to + by });
  scroller.scrollTop = grip.scrollTop - dy;
}

function pinch(
  { model, scene }: StagePointer,
  { before, spot, other }: { readonly before: Spot; readonly spot: Spot; readonly other: Spot },
): void {
  const was = Math.abs(before.x - other.x);
  const is = Math.abs(spot.x - other.x);
  if (was < 1 || is < 1) return;
  model.zoom(was / is, positionAt(scene(), (spot.x + other.x) / 2));
}

function wheel({ model, scene }: StagePointer, event: WheelEvent): void {
  const { size } = scene();
  // Over the names the wheel scrolls the lanes, as everywhere else on a page.
  if (event.offsetX < gutterOf(size)) return;
  event.preventDefault();
  const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
  if (isSideways) model.pan((event.deltaX || event.deltaY) / size.width);
  else model.zoom(Math.exp(event.deltaY * WHEEL_RATE), positionAt(scene(), event.offsetX));
}

function click(of: StagePointer, spot: Spot): void {
  const scene = of.scene();
  const turn = turnUnder(of, spot);
  if (turn !== undefined) {
    of.model.go(turn);
    return;
  }
  const row = scene.rows[rowAt(scene, spot.y) ?? -1];
  if (row && spot.x < gutterOf(scene.size)) of.model.toggle("folded", row.kind);
}

function turnUnder({ model, scene }: StagePointer, { x, y }: Spot): number | undefined {
  const stage = scene();
  return turnAt({
    stage,
    index: model.index,
    rows: stage.rows,
    isShown: (turn) => stage.shown[turn] !== 0,
    x,
    y,
  });
}
