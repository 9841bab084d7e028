/** A frame around one cell of the map: moving it draws nothing of the canvas again. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { placeOf } from "./cell-places.ts";
import type { MapScene } from "./draw-map.ts";

export interface CellRingProps {
  readonly scene: MapScene | undefined;
  readonly node: string | undefined;
  readonly kind: "selected" | "cursor";
}

/** So far outside the cell that its own marks stay visible. */
const OUTSIDE_PX = 3;

export function CellRing({ scene, node, kind }: CellRingProps) {
  const ring = useRef<HTMLDivElement>(null);
  const cell = node === undefined ? undefined : scene?.cells.cellOf(node);
  const place = cell === undefined || scene === undefined ? undefined : placeOf(scene.layout, cell);
  useLayoutEffect(() => {
    // Keys lead to what may be further down than what is seen.
    if (kind === "cursor") ring.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [kind, node]);
  if (place === undefined || scene === undefined) return null;
  const { width, height } = scene.layout.cell;
  return (
    <div
      ref={ring}
      class={`cell-ring cell-ring-${kind}`}
      style={{
        left: `${place.x - OUTSIDE_PX}px`,
        top: `${place.y - OUTSIDE_PX}px`,
        width: `${width + 2 * OUTSIDE_PX}px`,
        height: `${height + 2 * OUTSIDE_PX}px`,
      }}
    />
  );
}
