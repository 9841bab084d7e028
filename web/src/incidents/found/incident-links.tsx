/** The incidents of one node or workload, where a page tells its story. */
import type { ShownIncidents } from "../../../../src/api/incidents/shown-incident.ts";
import { hrefOf } from "../../app/route.ts";
import { nowMs } from "../../live/clock.ts";
import { useFetched } from "../../live/use-fetched.ts";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { foldIncidents } from "./fold-incidents.ts";
import { INCIDENT_NAMES, lastedText, replayOf } from "./incident-words.ts";

/** More are on the page Incidents. */
const TOLD = 3;

export function IncidentLinks({ about }: { readonly about: string }) {
  const query = new URLSearchParams({ about });
  const { value } = useFetched<ShownIncidents>(`/incidents?${query.toString()}`);
  const incidents = foldIncidents(value?.incidents ?? []);
  if (incidents.length === 0) return null;
  return (
    <section class="card" aria-labelledby="incidents-of-it">
      <h2 id="incidents-of-it">Incidents</h2>
      <ul class="incident-of-it">
        {incidents.slice(0, TOLD).map((incident) => (
          <li key={incident.id}>
            <a href={replayOf(incident)}>{INCIDENT_NAMES[incident.kind]}</a>{" "}
            <RelativeTime at={incident.began.time} />,{" "}
            {incident.ended === undefined ? "" : "lasted "}
            {lastedText(incident, nowMs.value)}: {incident.message}
          </li>
        ))}
      </ul>
      {incidents.length > TOLD && (
        <a href={hrefOf("incidents", [], { about })}>See all {incidents.length}</a>
      )}
    </section>
  );
}
