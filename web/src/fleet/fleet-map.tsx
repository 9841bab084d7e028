/**
 * The fleet as a map: a cell for each node, coloured by how full it is. The table shows the same to
 * who cannot see it.
 */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { hrefWith, navigate } from "../app/router.ts";
import type { RowStore } from "../live/row-store.ts";
import type { ViewRow } from "../live/view-message.ts";
import { counted } from "../parts/counted.ts";
import { type Direction, nextCell, cellAt } from "./cell-places.ts";
import type { MapScene } from "./draw-map.ts";
import { selected } from "./fleet-state.ts";
import { CellRing } from "./cell-ring.tsx";
import { MapPainter, type MapShown } from "./map-painter.ts";
import { MapTip, tipText } from "./map-tip.tsx";

export interface FleetMapProps {
  readonly rows: RowStore<ViewRow>;
  readonly shown: MapShown;
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

export function FleetMap({ rows, shown }: FleetMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scene = usePainted(canvas, { rows, shown });
  const hovered = useSignal<string | undefined>(undefined);
  const cursor = useSignal("");
  const hasFocus = useSignal(false);
  const node = startOf(scene, cursor.value, selected.value);
  const tip = hovered.value ?? (hasFocus.value ? node : undefined);
  return (
    <div
      class="fleet-map"
      role="listbox"
      tabIndex={0}
      aria-label={labelOf(scene)}
      aria-activedescendant="fleet-map-cursor"
      onKeyDown={(event) => pressed(event, { scene, node, cursor })}
      onFocus={(event) => void (hasFocus.value = event.currentTarget.matches(":focus-visible"))}
      onBlur={() => void (hasFocus.value = false)}
    >
      <canvas
        ref={canvas}
        aria-hidden="true"
        onPointerMove={(event) => void (hovered.value = nodeAt(scene, event))}
        onPointerLeave={() => void (hovered.value = undefined)}
        onClick={(event) => open(nodeAt(scene, event), cursor)}
      />
      <div
        id="fleet-map-cursor"
        role="option"
        class="unseen"
        aria-selected={node === selected.value}
      >
        {tipText(node === undefined ? undefined : rows.get(node), shown.measure)}
      </div>
      <CellRing scene={scene} node={selected.value} kind="selected" />
      {hasFocus.value && <CellRing scene={scene} node={node} kind="cursor" />}
      {tip !== undefined && <MapTip scene={scene} node={tip} rows={rows} measure={shown.measure} />}
    </div>
  );
}

const labelOf = (scene: MapScene | undefined): string =>
  `Map of the fleet, ${counted(scene?.cells.names.length ?? 0, "node")}; arrows move, Enter opens`;

/** What the canvas shows; it is painted while the component is there. */
function usePainted(
  canvas: { readonly current: HTMLCanvasElement | null },
  { rows, shown }: FleetMapProps,
): MapScene | undefined {
  const painter = useSignal<MapPainter | undefined>(undefined);
  useEffect(() => {
    if (canvas.current === null) return undefined;
    const made = new MapPainter({ canvas: canvas.current, rows, shown });
    painter.value = made;
    return made.start();
  }, [rows]);
  useEffect(() => painter.peek()?.show(shown), [shown]);
  return painter.value?.scene.value;
}

function open(node: string | undefined, cursor: Signal<string>): void {
  if (node === undefined) return;
  cursor.value = node;
  navigate(hrefWith({ node }));
}

/** Where the keys begin: where they were, else at the node that is open, else at the first one. */
function startOf(scene: MapScene | undefined, ...names: readonly string[]): string | undefined {
  const known = names.find((name) => scene?.cells.cellOf(name) !== undefined);
  return known ?? scene?.cells.names[0];
}

function nodeAt(scene: MapScene | undefined, event: MouseEvent): string | undefined {
  if (scene === undefined) return undefined;
  const cell = cellAt(scene.layout, { x: event.offsetX, y: event.offsetY });
  return cell === undefined ? undefined : scene.cells.names[cell];
}

function pressed(
  event: KeyboardEvent,
  of: {
    readonly scene: MapScene | undefined;
    readonly node: string | undefined;
    readonly cursor: Signal<string>;
  },
): void {
  const { scene, node, cursor } = of;
  if (scene === undefined || node === undefined || event.ctrlKey || event.metaKey) return;
  const direction = ARROWS[event.key];
  if (direction !== undefined) {
    const cell = nextCell(scene.layout, scene.cells.cellOf(node) ?? 0, direction);
    cursor.value = scene.cells.names[cell] ?? node;
  } else if (event.key === "Enter" || event.key === " ") open(node, cursor);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
