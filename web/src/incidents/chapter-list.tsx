/** The chapters of this plane's recording, newest first. */
import { useMemo } from "preact/hooks";
import { hrefOf } from "../app/route.ts";
import { useFetched } from "../live/use-fetched.ts";
import { Badge } from "../parts/badge.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { type Column, VirtualTable } from "../parts/virtual-table.tsx";
import { HowToMakeOne } from "./how-to-make-one.tsx";
import type { Chapter, Recordings } from "./recordings.ts";

export function ChapterList() {
  const asked = useFetched<Recordings>("/recordings");
  const { value, failure } = asked;
  const rows = useMemo(
    () => value?.chapters.toSorted((a, b) => b.number - a.number) ?? [],
    [value],
  );
  if (failure !== undefined) {
    return (
      <ErrorState
        title="Cannot read the recording."
        failure={failure}
        retry={() => asked.reload()}
      />
    );
  }
  if (value === undefined) return <Skeleton rows={4} label="Loading the recording" />;
  if (rows.length === 0) {
    return (
      <EmptyState title="There is no recording.">
        <p>{value.reason}</p>
        <p>
          A plane records its decisions while it is the leader. You can also create an incident page
          with:
        </p>
        <HowToMakeOne />
      </EmptyState>
    );
  }
  return (
    <>
      <h2>Recording of this plane</h2>
      <VirtualTable
        label="Chapters of this plane's recording"
        rows={rows}
        columns={COLUMNS}
        keyOf={({ number }) => `${number}`}
        hrefOf={({ number }) => hrefOf("incidents", ["chapter", `${number}`])}
      />
    </>
  );
}

const COLUMNS: readonly Column<Chapter>[] = [
  { id: "chapter", title: "Chapter", width: "9ch", cell: ({ number }) => number },
  { id: "from", title: "From", cell: ({ from }) => <RelativeTime at={from} /> },
  { id: "until", title: "Until", cell: ({ until }) => <RelativeTime at={until} /> },
  {
    id: "revisions",
    title: "Revisions",
    isWideOnly: true,
    cell: ({ firstRevision, lastRevision }) =>
      lastRevision === undefined ? "–" : `${firstRevision ?? 0} to ${lastRevision}`,
  },
  { id: "size", title: "Size", align: "end", cell: ({ bytes }) => sizeText(bytes) },
  {
    id: "replay",
    title: "Replay",
    cell: ({ canReplay, obstacle }) =>
      canReplay ? (
        "✓ available"
      ) : (
        <Badge tone="wait" title={obstacle ?? ""}>
          ▲ unavailable
        </Badge>
      ),
  },
];

/** e.g. "12 KiB", "3.4 MiB" */
function sizeText(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
