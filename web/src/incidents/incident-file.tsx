/**
 * The page that is one file: the incident that it carries, or how to make one, or one that is
 * opened here.
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isHelpOpen, KeyHelp } from "../app/key-help.tsx";
import { useKeys } from "../app/keys.ts";
import { nextTheme, theme } from "../app/theme.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { HowToMakeOne } from "./how-to-make-one.tsx";
import { IncidentOpener } from "./incident-opener.tsx";
import { IncidentView } from "./incident-view.tsx";
import { hashKeeper } from "./place-keeper.ts";
import type { ReadIncident } from "./reading/read-incident.ts";

export function IncidentFile({ reading }: { readonly reading: Promise<ReadIncident> }) {
  const read = useSignal<ReadIncident | undefined>(undefined);
  useEffect(() => void reading.then((answer) => void (read.value = answer)), [reading]);
  useEffect(() => {
    if (read.value?.kind === "read") document.title = `${read.value.document.source.title} · Berth`;
  }, [read.value]);
  useKeys("Everywhere", [
    {
      keys: "/",
      text: "Find",
      run: () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
    },
    { keys: "t", text: "Change the theme", run: nextTheme },
    { keys: "?", text: "Show these keys", run: () => void (isHelpOpen.value = true) },
  ]);
  return (
    <main class="incident-page">
      <div class="incident-page-head">
        <h1>Incident</h1>
        <span>
          <button type="button" class="button button-quiet" onClick={nextTheme}>
            Theme: {theme.value}
          </button>{" "}
          <button
            type="button"
            class="button button-quiet"
            onClick={() => void (isHelpOpen.value = true)}
          >
            Keys <kbd>?</kbd>
          </button>
        </span>
      </div>
      <Shown
        read={read.value}
        opened={(document) => void (read.value = { kind: "read", document })}
      />
      <KeyHelp />
    </main>
  );
}

function Shown(of: {
  readonly read: ReadIncident | undefined;
  readonly opened: Parameters<typeof IncidentOpener>[0]["opened"];
}) {
  const { read, opened } = of;
  if (read === undefined) return <Skeleton rows={8} label="Reading the incident" />;
  if (read.kind === "read") return <IncidentView document={read.document} keeper={hashKeeper} />;
  const title = read.kind === "empty" ? "This page has no incident." : read.says;
  return (
    <div class="incident-empty">
      <EmptyState title={title}>
        {read.kind === "unreadable" && <p>{read.todo}</p>}
        <HowToMakeOne />
      </EmptyState>
      <IncidentOpener opened={opened} />
    </div>
  );
}
