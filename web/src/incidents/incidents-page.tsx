/**
 * The page Incidents: what the log tells of, what this plane has recorded, a part of it as an
 * incident, or an incident from a file.
 */
import { signal } from "@preact/signals";
import type { IncidentDocument } from "../../../src/incident/incident-document.ts";
import type { PageProps } from "../app/pages.ts";
import { hrefOf } from "../app/route.ts";
import { navigate } from "../app/router.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { ChapterIncident } from "./chapter-incident.tsx";
import { ChapterList } from "./chapter-list.tsx";
import { FoundIncidents } from "./found/found-incidents.tsx";
import { MomentPage } from "./found/moment-page.tsx";
import { IncidentOpener } from "./incident-opener.tsx";
import { IncidentView } from "./incident-view.tsx";
import { queryKeeper } from "./place-keeper.ts";
import "./incidents.css";

/**
 * It stays while other pages are looked at; a reload forgets it, because a page may not read files
 * by itself.
 */
const opened = signal<IncidentDocument | undefined>(undefined);

export function IncidentsPage({ rest }: PageProps) {
  const [what, number = ""] = rest;
  if (what === "chapter") return <ChapterIncident key={number} chapter={number} />;
  if (what === "moment") return <MomentPage key={number} revision={number} />;
  if (what === "file") return <FromFile />;
  return (
    <>
      <PageHeader
        title="Incidents"
        about="What went wrong, and what each component did and saw then, turn by turn."
      />
      <div class="incident-home">
        <FoundIncidents />
        <ChapterList />
        <Opener />
      </div>
    </>
  );
}

function FromFile() {
  const document = opened.value;
  return (
    <>
      <PageHeader title="Incident from a file">
        <a class="button" href={hrefOf("incidents")}>
          All incidents
        </a>
      </PageHeader>
      {document === undefined ? (
        <>
          <EmptyState title="Open the file again.">
            After a reload the browser cannot read the file. Your position is kept in the address.
          </EmptyState>
          <Opener />
        </>
      ) : (
        <IncidentView document={document} keeper={queryKeeper} />
      )}
    </>
  );
}

function open(document: IncidentDocument): void {
  opened.value = document;
  navigate(hrefOf("incidents", ["file"]));
}

function Opener() {
  return <IncidentOpener opened={open} />;
}
