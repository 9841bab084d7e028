/** What a cell of the map stands for, beside it. */
import type { RowStore } from "../live/row-store.ts";
import type { ViewRow } from "../live/view-message.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import { placeOf } from "./cell-places.ts";
import type { MapScene } from "./draw-map.ts";
import { type FleetRow, healthOf, readFleetRow } from "./fleet-row.ts";
import { HealthWords } from "./health-words.tsx";
import { type Measure, measureText } from "./measure.ts";

export interface MapTipProps {
  readonly scene: MapScene | undefined;
  readonly node: string;
  readonly rows: RowStore<ViewRow>;
  readonly measure: Measure;
}

/** As wide as fleet.css makes it, so that it stays on the map. */
const TIP_PX = 280;
const BESIDE_PX = 8;

export function MapTip({ scene, node, rows, measure }: MapTipProps) {
  const row = rows.get(node);
  const cell = scene?.cells.cellOf(node);
  const place = cell === undefined || scene === undefined ? undefined : placeOf(scene.layout, cell);
  if (row === undefined || place === undefined || scene === undefined) return null;
  const { width, cell: size } = scene.layout;
  const shown = readFleetRow(row);
  return (
    <div
      class="map-tip"
      aria-hidden="true"
      style={{
        left: `${Math.max(0, Math.min(place.x, width - TIP_PX))}px`,
        top: `${place.y + size.height + BESIDE_PX}px`,
      }}
    >
      <strong>{node}</strong> <HealthWords row={shown} />
      <div>{placeText(shown)}</div>
      <div>{measureText(shown, measure)}</div>
      <TipMore row={shown} measure={measure} />
    </div>
  );
}

function TipMore({ row, measure }: { readonly row: FleetRow; readonly measure: Measure }) {
  const [, , , , since, why, cordons] = row;
  return (
    <>
      {measure.of !== "replicas" && <div>{measureText(row, { ...measure, of: "replicas" })}</div>}
      {healthOf(row) !== "ready" && (
        <div>
          {why} <RelativeTime at={since} />
        </div>
      )}
      {cordons.map(({ by, why: reason }) => (
        <div key={by}>
          cordoned by {by}
          {reason === "" ? "" : `: ${reason}`}
        </div>
      ))}
    </>
  );
}

const placeText = ([, region, zone]: FleetRow): string => `zone ${zone} of ${region}`;

/** The same for who hears it. */
export function tipText(row: ViewRow | undefined, measure: Measure): string {
  if (row === undefined) return "There are no nodes.";
  const shown = readFleetRow(row);
  const [node, , , health] = shown;
  return `${node}, ${health}, ${placeText(shown)}, ${measureText(shown, measure)}`;
}
