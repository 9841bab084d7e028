/** What the colours of the map are to show. */
import { part, resource } from "./fleet-state.ts";
import { type Measure, MEASURED, MEASURED_LABELS, SHOWN, SHOWN_LABELS } from "./measure.ts";

export function MeasureChoice({ measure }: { readonly measure: Measure }) {
  return (
    <span class="measure-choice">
      <select
        aria-label="Resource"
        value={measure.of}
        onChange={({ currentTarget }) => void (resource.value = currentTarget.value)}
      >
        {MEASURED.map((name) => (
          <option key={name} value={name}>
            {MEASURED_LABELS[name]}
          </option>
        ))}
      </select>
      <select
        aria-label="Measure"
        value={measure.shows}
        disabled={measure.of === "replicas"}
        onChange={({ currentTarget }) => void (part.value = currentTarget.value)}
      >
        {SHOWN.map((name) => (
          <option key={name} value={name}>
            {SHOWN_LABELS[name]}
          </option>
        ))}
      </select>
    </span>
  );
}
