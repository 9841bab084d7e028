/**
 * The lanes over time. Everything on it is also in the list of turns, which is what a screen reader
 * is told of.
 */
import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { drawLanes } from "./draw/draw-lanes.ts";
import type { IncidentModel } from "./reading/incident-model.ts";
import { momentText } from "./moment-text.ts";
import { paintOn, watchSurface } from "./draw/paint-on.ts";
import { gutterOf, ROW_HEIGHT, RULER_HEIGHT, xOf, yOf } from "./draw/stage-geometry.ts";
import { followPointer } from "./draw/stage-pointer.ts";
import { type StageScene, stageScene } from "./draw/stage-scene.ts";

export function LaneStage({ model }: { readonly model: IncidentModel }) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useSignal<StageScene | undefined>(undefined);
  useEffect(() => {
    if (!scroller.current || !canvas.current) return undefined;
    return mount({ model, scroller: scroller.current, canvas: canvas.current }, (made) => {
      stage.value = made;
    });
  }, [model]);
  const rows = model.rows.value.length;
  return (
    <div class="incident-lanes">
      <div
        ref={scroller}
        class="incident-scroller"
        role="group"
        aria-label="Lanes over time. The list of turns has the same content."
        tabIndex={0}
        onScroll={({ currentTarget }) => {
          if (stage.value) stage.value.scrollTop.value = currentTarget.scrollTop;
        }}
      >
        <canvas ref={canvas} class="incident-canvas" aria-hidden="true" />
        <div class="incident-spacer" style={{ height: `${rows * ROW_HEIGHT + RULER_HEIGHT}px` }} />
      </div>
      {rows === 0 && <p class="incident-no-lanes quiet">Every lane is hidden by the filters.</p>}
      {stage.value && <Tip model={model} stage={stage.value} />}
    </div>
  );
}

interface Parts {
  readonly model: IncidentModel;
  readonly scroller: HTMLDivElement;
  readonly canvas: HTMLCanvasElement;
}

function mount({ model, scroller, canvas }: Parts, made: (stage: StageScene) => void): () => void {
  const surface = watchSurface(scroller);
  const stage = stageScene(model, surface, scroller);
  made(stage);
  const stops = [
    paintOn({ canvas, surface, read: () => stage.scene.value, paint: drawLanes }),
    followPointer({ model, canvas, scroller, scene: () => stage.scene.peek() }),
    keepInView(model, stage, scroller),
    () => surface.stop(),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Brings the row of the selected turn into view when another turn is selected. */
function keepInView(model: IncidentModel, stage: StageScene, scroller: HTMLElement): () => void {
  return effect(() => {
    const lane = model.index.document.turns[model.turn.value]?.lane ?? -1;
    const scene = stage.scene.peek();
    const row = scene.rowOf[lane] ?? -1;
    if (row < 0) return;
    const y = yOf(scene, row);
    const low = RULER_HEIGHT + ROW_HEIGHT / 2;
    const high = scene.size.height - ROW_HEIGHT / 2;
    if (y < low) scroller.scrollTop -= low - y;
    else if (y > high) scroller.scrollTop += y - high;
  });
}

/** What the turn under the pointer says. */
function Tip({ model, stage }: { readonly model: IncidentModel; readonly stage: StageScene }) {
  const at = model.hovered.value;
  const { document } = model.index;
  const turn = at === undefined ? undefined : document.turns[at];
  if (at === undefined || !turn) return null;
  const scene = stage.scene.value;
  const x = xOf(scene, scene.axis.positions[at] ?? 0);
  const y = yOf(scene, scene.rowOf[turn.lane] ?? 0);
  const isLeft = x > (scene.size.width + gutterOf(scene.size)) / 2;
  const side = isLeft ? { right: `${scene.size.width - x + 12}px` } : { left: `${x + 12}px` };
  return (
    <div class="incident-tip" aria-hidden="true" style={{ ...side, top: `${y + 12}px` }}>
      <strong>{document.lanes[turn.lane]?.name}</strong>{" "}
      <span class="quiet">{momentText(turn.atMs, document.source.epochMs ?? undefined)}</span>
      <div>{turn.text}</div>
    </div>
  );
}
