/**
 * Joins what a person chose with the size and the colours of the screen into the scene that is
 * drawn.
 */
import { computed, type ReadonlySignal, signal, type Signal } from "@preact/signals";
import { causesOf, effectsOf } from "../reading/causes-of.ts";
import type { IncidentIndex } from "../reading/incident-index.ts";
import type { IncidentModel } from "../reading/incident-model.ts";
import { rowsByLane } from "./lane-rows.ts";
import type { Surface } from "./paint-on.ts";
import { readPalette } from "./palette.ts";
import type { Scene } from "./scene.ts";
import { makeSprites } from "./turn-sprites.ts";
import { wrongSpans } from "../reading/wrong-spans.ts";

export interface StageScene {
  readonly scene: ReadonlySignal<Scene>;
  readonly scrollTop: Signal<number>;
}

export function stageScene(model: IncidentModel, surface: Surface, element: Element): StageScene {
  const { index } = model;
  const scrollTop = signal(0);
  const palette = computed(() => (surface.theme.value, readPalette(element)));
  const sprites = computed(() => makeSprites(palette.value, surface.ratio.value));
  const rowOf = computed(() => rowsByLane(model.rows.value, index.document.lanes.length));
  const shown = computed(() => {
    const by = new Uint8Array(index.document.turns.length);
    for (const turn of model.chosen.value) by[turn] = 1;
    for (const turn of model.listed.value) by[turn] = 2;
    return by;
  });
  const path = computed(() => pathOf(index, model.turn.value));
  const chain = computed(() => new Set([model.turn.value, ...path.value.flat()]));
  const wrong = computed(() =>
    model.key.value === undefined ? [] : wrongSpans(index, model.key.value),
  );
  const scene = computed((): Scene => ({
    index,
    axis: model.axis.value,
    window: model.window.value,
    size: surface.size.value,
    scrollTop: scrollTop.value,
    rows: model.rows.value,
    rowOf: rowOf.value,
    shown: shown.value,
    selected: model.turn.value,
    hovered: model.hovered.value,
    chain: chain.value,
    path: path.value,
    wrong: wrong.value,
    palette: palette.value,
    sprites: sprites.value,
  }));
  return { scene, scrollTop };
}

/** Back along the chain of causes, and one step on to each of its effects. */
function pathOf(index: IncidentIndex, turn: number): [number, number][] {
  const causes = causesOf(index, turn).flatMap((link) => link.turn ?? []);
  const back = causes.map((from, at): [number, number] => [from, causes[at - 1] ?? turn]);
  const on = effectsOf(index, turn).flatMap((link): [number, number][] =>
    link.turn === undefined ? [] : [[turn, link.turn]],
  );
  return [...back, ...on];
}
