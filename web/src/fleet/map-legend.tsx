/** What colours and shapes of the map mean. */
import type { ComponentChildren } from "preact";
import { type Measure, MEASURED_LABELS, SHOWN_LABELS } from "./measure.ts";

export function MapLegend({ measure }: { readonly measure: Measure }) {
  const { of, shows, mostReplicas } = measure;
  const what = of === "replicas" ? "Replicas" : `${MEASURED_LABELS[of]} ${SHOWN_LABELS[shows]}`;
  return (
    <div class="map-legend">
      <span>
        {what}: {of === "replicas" ? "0" : "0%"} <span class="map-scale" aria-hidden="true" />{" "}
        {of === "replicas" ? mostReplicas : "100%"}
      </span>
      {of !== "replicas" && <Sample label="over capacity" shape="over" />}
      <Sample label="fenced" shape="fenced">
        <path class="legend-hatch" d="M0 8 8 0M4 14 14 4" />
        <path class="legend-cross" d="M3 3 11 11M11 3 3 11" />
      </Sample>
      <Sample label="unknown" shape="unknown">
        <path class="legend-hatch" d="M0 6 6 0M0 12 12 0M5 14 14 5M11 14 14 11" />
      </Sample>
      <Sample label="suspect" shape="suspect" />
      <Sample label="cordoned or unschedulable" shape="cordoned">
        <path class="legend-bar" d="M0 12H14" />
      </Sample>
      <Sample label="draining" shape="draining">
        <path class="legend-corner" d="M14 5V14H5Z" />
      </Sample>
      <Sample label="forecast" shape="soft" />
    </div>
  );
}

function Sample(of: {
  readonly label: string;
  readonly shape: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <span class="legend-item">
      <svg class={`legend-cell legend-${of.shape}`} viewBox="0 0 14 14" aria-hidden="true">
        <rect x="0.75" y="0.75" width="12.5" height="12.5" />
        {of.children}
      </svg>
      {of.label}
    </span>
  );
}
