/** The fleet as a map: a cell for each node, coloured by how full it is. The table shows the same to who cannot see it. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { hrefWith, navigate } from "../app/router.ts";
import type { RowShelf } from "../live/row-shelf.ts";
import type { ViewRow } from "../live/view-message.ts";
import { type Direction, nextCell, cellAt } from "./cell-places.ts";
import type { MapScene } from "./draw-map.ts";
import { selected } from "./fleet-state.ts";
import { CellRing } from "./cell-ring.tsx";
import { MapPainter, type MapShown } from "./map-painter.ts";
import { MapTip, tipText } from "./map-tip.tsx";

export interface FleetMapProps {
  readonly rows: RowShelf<ViewRow>;
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
  const painter = useSignal<MapPainter | undefined>(undefined);
  const hovered = useSignal<string | undefined>(undefined);
  /** The node that the arrows have come to, and whether they have the map at all. */
  const cursor = useSignal("");
  const hasFocus = useSignal(false);
  useEffect(() => {
    if (canvas.current === null) return undefined;
    const made = new MapPainter({ canvas: canvas.current, rows, shown });
    painter.value = made;
    return made.start();
  }, [rows]);
  useEffect(() => painter.peek()?.show(shown), [shown]);
  const scene = painter.value?.scene.value;
  const node = at(scene, cursor.value, selected.value);
  const tip = hovered.value ?? (hasFocus.value ? node : undefined);
  return (
    <div
      class="fleet-map"
      role="listbox"
      tabIndex={0}
      aria-label={`Map of the fleet, ${scene?.cells.names.length ?? 0} nodes; arrows move, Enter opens`}
      aria-activedescendant="fleet-map-cursor"
      onKeyDown={(event) => pressed(event, { scene, node, cursor })}
      onFocus={({ currentTarget }) =>
        void (hasFocus.value = currentTarget.matches(":focus-visible"))
      }
      onBlur={() => void (hasFocus.value = false)}
    >
      <canvas
        ref={canvas}
        aria-hidden="true"
        onPointerMove={(event) => void (hovered.value = nodeAt(scene, event))}
        onPointerLeave={() => void (hovered.value = undefined)}
        onClick={(event) => {
          const name = nodeAt(scene, event);
          if (name === undefined) return;
          cursor.value = name;
          navigate(hrefWith({ node: name }));
        }}
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

/** Where the keys begin: where they were, else at the node that is open, else at the first one. */
function at(scene: MapScene | undefined, ...names: readonly string[]): string | undefined {
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
  } else if (event.key === "Enter" || event.key === " ") navigate(hrefWith({ node }));
  else return;
  event.preventDefault();
  event.stopPropagation();
}
