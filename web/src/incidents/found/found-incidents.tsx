/** The incidents that the log tells of, newest first: what, where, when and how long. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type {
  ShownIncident,
  ShownIncidents,
} from "../../../../src/api/incidents/shown-incident.ts";
import { queryState } from "../../app/query-state.ts";
import { hrefWith } from "../../app/router.ts";
import { getJson } from "../../live/api.ts";
import { type ApiFailure, failureOf } from "../../live/api-failure.ts";
import { nowMs } from "../../live/clock.ts";
import { useFetched } from "../../live/use-fetched.ts";
import { Badge } from "../../parts/badge.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorState } from "../../parts/error-state.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { type FoldedIncident, foldIncidents } from "./fold-incidents.ts";
import { INCIDENT_NAMES, lastedText, replayOf, timelineOf } from "./incident-words.ts";

const about = queryState("about", { history: "push" });

const pathOf = (subject: string, before?: number): string => {
  const query = new URLSearchParams();
  if (subject !== "") query.set("about", subject);
  if (before !== undefined) query.set("before", `${before}`);
  return `/incidents?${query.toString()}`;
};

export function FoundIncidents() {
  const subject = about.value;
  return (
    <section aria-labelledby="found">
      <h2 id="found">Incidents in the log</h2>
      {subject !== "" && (
        <p>
          <a class="chip chip-chosen" href={hrefWith({ about: undefined })}>
            Only {subject} <span aria-hidden="true">✕</span>
            <span class="unseen">, show all</span>
          </a>
        </p>
      )}
      <Pages key={subject} subject={subject} />
    </section>
  );
}

function Pages({ subject }: { readonly subject: string }) {
  const asked = useFetched<ShownIncidents>(pathOf(subject));
  const older = useSignal<readonly ShownIncidents[]>([]);
  const failed = useSignal<ApiFailure | undefined>(undefined);
  const { value } = asked;
  const failure = asked.failure ?? failed.value;
  const pages = value === undefined ? [] : [value, ...older.value];
  const incidents = useMemo(() => uniqueOf(pages), [value, older.value]);
  if (failure !== undefined) {
    const retry = (): void => {
      failed.value = undefined;
      asked.reload();
    };
    return <ErrorState title="Cannot list incidents." failure={failure} retry={retry} />;
  }
  if (value === undefined) return <Skeleton rows={3} label="Looking for incidents in the log" />;
  const last = pages.at(-1) ?? value;
  const loadMore = (): void => {
    getJson<ShownIncidents>(pathOf(subject, last.next)).then(
      (page) => void (older.value = [...older.value, page]),
      (error: unknown) => void (failed.value = failureOf(error)),
    );
  };
  return (
    <>
      {incidents.length === 0 ? <None last={last} /> : <Table incidents={incidents} />}
      <p class="quiet found-end">
        {last.next === undefined ? last.says : `Looked back to revision ${last.next}.`}{" "}
        {last.next !== undefined && (
          <button type="button" class="button" onClick={loadMore}>
            Look further back
          </button>
        )}
      </p>
    </>
  );
}

/** One that lasts while pages are read may be on two of them. */
function uniqueOf(pages: readonly ShownIncidents[]): readonly FoldedIncident[] {
  const byId = new Map<string, ShownIncident>();
  for (const page of pages) for (const incident of page.incidents) byId.set(incident.id, incident);
  return foldIncidents([...byId.values()]);
}

function None({ last }: { readonly last: ShownIncidents }) {
  return (
    <EmptyState
      title={last.next === undefined ? "No incident in the log." : "No incident found so far."}
    >
      A fenced node, a failed rollout, a crash loop, a missed recovery objective and a breached
      objective are listed here.
    </EmptyState>
  );
}

function Table({ incidents }: { readonly incidents: readonly FoldedIncident[] }) {
  return (
    <table class="table found-table" aria-label="Incidents in the log">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Where</th>
          <th scope="col">When</th>
          <th scope="col">How long</th>
        </tr>
      </thead>
      <tbody>
        {incidents.map((incident) => (
          <Row key={incident.id} incident={incident} />
        ))}
      </tbody>
    </table>
  );
}

function Where({ about: subject }: { readonly about: string }) {
  const href = timelineOf(subject);
  return href === undefined ? <>{subject}</> : <a href={href}>{subject}</a>;
}

function Row({ incident }: { readonly incident: FoldedIncident }) {
  const { kind, message, began, ended, replicas } = incident;
  return (
    <tr>
      <td>
        <a href={replayOf(incident)}>{INCIDENT_NAMES[kind]}</a>{" "}
        {ended === undefined && <Badge tone="bad">lasts</Badge>}
        <span class="found-message">
          {replicas > 1 && `${replicas} replicas; the first: `}
          {message}
        </span>
      </td>
      <td>
        <Where about={incident.about} />
      </td>
      <td>
        <RelativeTime at={began.time} />
        <span class="quiet found-revision">revision {began.revision}</span>
      </td>
      <td>{lastedText(incident, nowMs.value)}</td>
    </tr>
  );
}
